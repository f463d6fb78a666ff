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
  name: "haul-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "haul", path: "..")],
  targets: [
    // In C, so that its own memory does not hide that of the program it measures.
    .executableTarget(name: "launcher", path: "Sources/Launcher"),
    // In C as well: they are to cost next to nothing.
    .executableTarget(name: "pacer", path: "Sources/Pacer"),
    .executableTarget(name: "receiver", path: "Sources/Receiver"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "HaulHTTP", package: "haul"),
        .product(name: "HaulTestKit", package: "haul"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BenchmarksTests",
      dependencies: ["Benchmarks", .product(name: "HaulTestKit", package: "haul")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
