// swift-tools-version: 6.2
import PackageDescription

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

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
  name: "haul",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "haul", targets: ["HaulCLI"]),
    .library(name: "Haul", targets: ["Haul"]),
    .library(name: "HaulHTTP", targets: ["HaulHTTP"]),
    .library(name: "HaulTransfer", targets: ["HaulTransfer"]),
    .library(name: "HaulSystem", targets: ["HaulSystem"]),
    .library(name: "HaulMetalink", targets: ["HaulMetalink"]),
    .library(name: "HaulCurl", targets: ["HaulCurl"]),
    .library(name: "HaulFiles", targets: ["HaulFiles"]),
    .library(name: "HaulRecords", targets: ["HaulRecords"]),
    .library(name: "HaulSQLite", targets: ["HaulSQLite"]),
    .library(name: "HaulTestKit", targets: ["HaulTestKit"]),
  ],
  targets: [
    systemLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    systemLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    systemLibrary("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),
    systemLibrary("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    .target(name: "CHaulCurl", dependencies: ["CCurl"]),
    .target(name: "CHaulSystem"),

    library("HaulHTTP"),
    library("HaulMetalink", ["HaulHTTP", "CExpat"]),
    library("HaulTransfer", ["HaulHTTP"]),
    library(
      "HaulSystem", ["HaulHTTP", "HaulTransfer", "CCrypto", "CZlib", "CXXHash", "CHaulSystem"]),
    library("HaulCurl", ["HaulHTTP", "HaulTransfer", "HaulSystem", "CCurl", "CHaulCurl"]),
    library("HaulFiles", ["HaulHTTP", "HaulTransfer", "HaulSystem"]),
    library("HaulRecords", ["HaulHTTP", "HaulSystem"]),
    library("HaulSQLite", ["HaulHTTP", "HaulSystem", "HaulRecords", "CSQLite"]),
    library(
      "Haul",
      [
        "HaulHTTP", "HaulTransfer", "HaulSystem", "HaulCurl", "HaulFiles", "HaulRecords",
        "HaulSQLite",
      ]),
    .executableTarget(
      name: "HaulCLI",
      dependencies: [
        "HaulHTTP", "HaulMetalink", "HaulTransfer", "HaulSystem", "HaulCurl", "HaulFiles",
        "CHaulSystem",
      ],
      swiftSettings: settings),
    library("HaulTestKit", ["HaulHTTP", "HaulTransfer", "HaulSystem", "HaulRecords"]),
    .executableTarget(
      name: "HaulTestHost", dependencies: ["HaulRecords", "HaulSQLite", "HaulTestKit"],
      path: "Tests/HaulTestHost", swiftSettings: settings),

    tests("HaulHTTPTests", ["HaulHTTP"]),
    tests("HaulMetalinkTests", ["HaulMetalink", "HaulHTTP"]),
    tests("HaulTransferTests", ["HaulTransfer", "HaulHTTP", "HaulTestKit"]),
    tests("HaulSystemTests", ["HaulSystem", "HaulTestKit"]),
    tests(
      "HaulFilesTests", ["HaulFiles", "HaulSystem", "HaulTransfer", "HaulHTTP", "HaulTestKit"],
      exclude: ["Fixtures"]),
    tests("HaulRecordsTests", ["HaulRecords", "HaulSystem", "HaulHTTP", "HaulTestKit"]),
    tests(
      "HaulSQLiteTests",
      [
        "HaulSQLite", "HaulRecords", "HaulSystem", "HaulHTTP", "HaulTestKit", "HaulTestHost",
        "CSQLite",
      ]),
    tests("HaulCurlTests", ["HaulCurl", "HaulTransfer", "HaulHTTP", "HaulTestKit"]),
    tests(
      "HaulTests",
      [
        "Haul", "HaulHTTP", "HaulTransfer", "HaulFiles", "HaulSystem", "HaulRecords", "HaulSQLite",
        "HaulTestKit",
      ]),
    tests("HaulTestKitTests", ["HaulTestKit"]),
    tests(
      "HaulCasesTests",
      [
        "HaulHTTP", "HaulTransfer", "HaulSystem", "HaulCurl", "HaulFiles", "HaulCLI", "HaulTestKit",
      ]),
    tests(
      "HaulCLITests", ["HaulCLI", "HaulHTTP", "HaulTransfer", "HaulSystem", "HaulTestKit"]),
  ],
  swiftLanguageModes: [.v6]
)
