// swift-tools-version: 6.2
import PackageDescription

// The settings of the root package.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "haul-examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "haul", path: "..")],
  targets: [
    .executableTarget(
      name: "download-list", dependencies: [.product(name: "Haul", package: "haul")],
      path: "Sources/DownloadList", swiftSettings: settings),
    .testTarget(
      name: "DownloadListTests",
      dependencies: ["download-list", .product(name: "HaulTestKit", package: "haul")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
