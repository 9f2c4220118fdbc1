// swift-tools-version: 6.2
import PackageDescription

// Every arrow between targets runs down the floors of Sources/ARCHITECTURE.md; the compiler refuses the others.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let pure: [Target.Dependency] = ["Policy", "Tokens", "Cryptography", "WireFormats"]

/// What reads and changes a sandbox.
let sandbox = pure + ["ObjectStore", "Directory", "Seeds", "Cloud"]

/// What every face stands on.
let face = sandbox + ["Calls", "Federation", "RequestSigning", httpTypes, nioCore, logging]

/// What faces of object stores stand on as well.
let objects: [Target.Dependency] = ["ObjectServing"]

/// The commit that is built: from the variable where there is no repository, as in a container.
let commit = Context.environment["VIRGA_COMMIT"] ?? Context.gitInformation?.currentCommit ?? ""

/// The folder of a target below `Sources`, and that of its tests below `Tests/Unit`: its floor, and its name without what the floor says.
func place(of name: String) -> String {
    switch name {
    case "VirgaCommand": "Command"
    case "VirgaServer": "Server"
    case "S3Face", "OSSFace", "MobileCloudFace", "ControlFace", "ConsoleFace", "CredentialsFace", "GatewayFace":
        "Faces/" + name.dropLast("Face".count)
    case "AWSIdentityFaces", "AlibabaIdentityFaces", "CognitoFaces": "Faces/" + name.dropLast("Faces".count)
    case "IdentityProviders": "Faces/" + name
    case "Calls", "ControlDocuments", "ObjectServing", "Federation", "Cloud", "Seeds", "Directory", "ObjectStore": "Sandbox/" + name
    case "VirgaTesting", "VirgaSwiftTesting": "Testing/" + name
    default: "Foundations/" + name
    }
}

func room(_ name: String, on dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/" + place(of: name), resources: resources, swiftSettings: settings)
}

func tests(of name: String, and dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, path: "Tests/Unit/" + place(of: name),
        resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "virga",
    products: [
        .executable(name: "virga", targets: ["virga"]),
        .library(name: "VirgaTesting", targets: ["VirgaTesting"]),
        .library(name: "VirgaSwiftTesting", targets: ["VirgaSwiftTesting"]),
    ],
    dependencies: [
        // None of these may bring full Foundation, and with it 40 MB of Unicode data, into the executable.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // Floor 0: pure; no clock, no database of its own.
        .target(
            name: "CAWSManagedPolicies", path: "Sources/Foundations/CAWSManagedPolicies",
            exclude: ["documents.deflate", "index.inc", "policies", "refresh.py", "source.json"],
            cSettings: [.headerSearchPath(".")]),
        .target(
            name: "CBuildCommit", path: "Sources/Foundations/CBuildCommit",
            cSettings: [.define("VIRGA_COMMIT", to: "\"\(commit.prefix(7))\"")]),
        .target(name: "CChecksums", path: "Sources/Foundations/CChecksums"),
        .target(name: "CDeflate", path: "Sources/Foundations/CDeflate", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "CServiceTable", path: "Sources/Foundations/CServiceTable",
            exclude: ["NOTICES.txt", "definitions.json", "overrides.txt", "refresh.py", "services.txt", "table.inc"],
            cSettings: [.headerSearchPath(".")]),
        .target(name: "COpenSSL", path: "Sources/Foundations/COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
        .systemLibrary(name: "CSQLite", path: "Sources/Foundations/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        room("WireFormats", on: ["CChecksums", "CDeflate"]),
        room("Caching"),
        room("Cryptography", on: ["COpenSSL"]),
        room("Tokens", on: ["Cryptography", "WireFormats"]),
        room("RequestSigning", on: ["Cryptography", "WireFormats", httpTypes]),
        room("SQLite", on: ["CSQLite"]),
        room("Policy", on: ["WireFormats"]),
        room("ServiceModels", on: ["CServiceTable", "WireFormats"]),
        room("ClientEnvironment"),

        // Floor 1: one sandbox, and what the faces share about identity and HTTP.
        room("ObjectStore", on: ["SQLite", "Policy", "Cryptography", "WireFormats", nioCore, nioPosix]),
        room(
            "Directory", on: pure + ["CAWSManagedPolicies", .product(name: "HashTreeCollections", package: "swift-collections")],
            resources: [.embedInCode("Policies/RAMSystemPolicies/ram-system-policies.json")]),
        room(
            "Seeds", on: pure + ["ObjectStore", "Directory"], resources: [.embedInCode("BuiltIn/personal-file-store.json5")]),
        room("Cloud", on: pure + ["ObjectStore", "Directory", "Seeds", "SQLite", httpTypes, nioCore, nioPosix]),
        room("Federation", on: sandbox + ["Caching", "RequestSigning", httpTypes]),
        room("Calls", on: sandbox + ["Federation", "RequestSigning", httpTypes, nioCore]),
        room("ControlDocuments", on: ["Directory", "Tokens", "WireFormats"]),
        room("ObjectServing", on: sandbox + ["Caching", "Federation", "Calls", httpTypes, nioCore, nioPosix, logging]),

        // Floor 2: faces, one wire protocol each.
        room("S3Face", on: face + objects),
        room("AWSIdentityFaces", on: face),
        room("CognitoFaces", on: face),
        room("OSSFace", on: face + objects),
        room("AlibabaIdentityFaces", on: face),
        room("IdentityProviders", on: face),
        room("CredentialsFace", on: face),
        room("MobileCloudFace", on: face + objects),
        room("GatewayFace", on: face + objects + ["Caching", "ServiceModels"]),
        room("ControlFace", on: face + ["ControlDocuments", nioPosix]),
        room(
            "ConsoleFace",
            on: [
                "Calls", "ControlDocuments", "Directory", "Federation", "ObjectServing", "RequestSigning", "Cryptography", "WireFormats",
                httpTypes, nioCore,
            ],
            resources: [
                .embedInCode("Assets/console.css"), .embedInCode("Assets/console.js"), .embedInCode("Assets/icon.svg"),
            ]),

        // Floor 3: the composition root.
        room(
            "VirgaServer",
            on: face + objects + [
                "S3Face", "AWSIdentityFaces", "CognitoFaces", "OSSFace", "AlibabaIdentityFaces", "IdentityProviders", "MobileCloudFace",
                "ControlFace", "CredentialsFace", "GatewayFace", "ConsoleFace", "Caching", "CBuildCommit", nioPosix, nioHTTP1,
                serviceLifecycle,
                httpClient,
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),

        // Floor 4: the ways in.
        room(
            "VirgaCommand",
            on: [
                "VirgaServer", "Cloud", "ClientEnvironment", "ControlDocuments", "Directory", "GatewayFace", "ObjectStore", "Seeds",
                "Federation",
                "RequestSigning", "Cryptography", "WireFormats", httpClient, httpTypes, nioCore,
                logging, nioPosix, .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                nioHTTP1,
            ]),
        room(
            "VirgaTesting",
            on: sandbox + ["VirgaServer", "ControlFace", "Federation", "ClientEnvironment"]),
        // The only target that imports Swift Testing.
        room("VirgaSwiftTesting", on: ["VirgaTesting"]),

        // Floor 5.
        .executableTarget(
            name: "virga",
            dependencies: ["VirgaCommand", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings),

        // How long a decision takes; see Tests/Benchmarks.
        .executableTarget(
            name: "Decisions", dependencies: ["Policy", "WireFormats"], path: "Tests/Benchmarks/Decisions", swiftSettings: settings),

        // What other programs for XML security are held against; see Tests/EndToEnd/saml/test_xml_security.py.
        .executableTarget(
            name: "XMLOracle", dependencies: ["Tokens", "Cryptography", "WireFormats"], path: "Tests/Oracles/XML",
            swiftSettings: settings),

        // What the tests of the faces share.
        .target(
            name: "Fixtures", dependencies: face + [httpClient, nioHTTP1], path: "Tests/Fixtures", swiftSettings: settings),

        tests(of: "WireFormats"),
        tests(of: "Caching"),
        tests(of: "Cryptography", and: ["WireFormats"], resources: [.copy("Wycheproof")]),
        tests(of: "Tokens", and: ["Cryptography", "WireFormats"], resources: [.copy("Wycheproof")]),
        tests(of: "RequestSigning", and: ["Cryptography", "WireFormats", httpTypes], resources: [.copy("Vectors")]),
        tests(of: "ServiceModels", and: ["WireFormats"]),
        tests(of: "SQLite", and: ["Fixtures"]),
        tests(of: "Policy", and: ["WireFormats"]),
        tests(of: "ObjectStore", and: ["Fixtures", "Policy", "SQLite", "WireFormats", nioCore]),
        tests(of: "Directory", and: pure),
        tests(of: "Seeds", and: pure + ["ObjectStore", "Directory", "Cloud", "Fixtures"]),
        tests(of: "Cloud", and: pure + ["ObjectStore", "Directory", "Seeds", "Fixtures", "SQLite", httpTypes, nioCore]),
        tests(of: "Federation", and: sandbox + ["RequestSigning", httpTypes]),
        tests(of: "Calls", and: sandbox + ["Federation", httpTypes, nioCore]),
        tests(of: "ControlDocuments", and: ["WireFormats"]),
        tests(of: "ObjectServing", and: face + ["Fixtures"]),
        tests(of: "S3Face", and: face + objects + ["Fixtures"]),
        tests(of: "AWSIdentityFaces", and: face + ["Fixtures"]),
        tests(of: "CognitoFaces", and: face + ["Fixtures"]),
        tests(of: "OSSFace", and: face + objects + ["Fixtures"]),
        tests(of: "AlibabaIdentityFaces", and: face + ["Fixtures"]),
        tests(of: "IdentityProviders", and: face + ["Fixtures"]),
        tests(of: "CredentialsFace", and: face + ["Fixtures"]),
        tests(of: "MobileCloudFace", and: face + objects + ["Fixtures"]),
        tests(of: "GatewayFace", and: face + objects + ["ServiceModels", "Fixtures"]),
        tests(of: "ControlFace", and: face + ["ControlDocuments", "Fixtures"]),
        tests(of: "ConsoleFace", and: face + ["ControlDocuments", "Fixtures"]),
        tests(
            of: "VirgaServer",
            and: face + objects + [
                "VirgaTesting", "Fixtures", "S3Face", "ControlFace", "GatewayFace", nioPosix, httpClient, nioHTTP1,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"), .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        tests(
            of: "VirgaTesting", and: ["ClientEnvironment", "Cloud", "ControlFace", "Federation", "Fixtures", "VirgaServer", "WireFormats"]),
        tests(of: "VirgaSwiftTesting", and: ["VirgaTesting", "Fixtures"]),
        tests(
            of: "VirgaCommand",
            and: [
                "ClientEnvironment", "Cloud", "Policy", "WireFormats", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The parsers under libFuzzer, which only some toolchains have; see Tests/Hardening/fuzz/run. Otherwise they are tests over its corpus.
let parsers: [Target.Dependency] = face + objects + ["VirgaServer", nioHTTP1, .product(name: "NIOEmbedded", package: "swift-nio")]
let folder = "Tests/Hardening/fuzz"
let others = ["corpus", "dictionaries", "run"]
if let sanitizers = Context.environment["VIRGA_FUZZ"], let runtime = Context.environment["VIRGA_FUZZ_RUNTIME"] {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: parsers, path: folder, exclude: others + ["CorpusTests.swift"], swiftSettings: settings,
            linkerSettings: [.unsafeFlags([runtime] + (sanitizers.contains("address") ? ["-sanitize=address"] : []))]))
    // Only the parsers have counters: libFuzzer reads all counters of the executable after each input.
    let instrumented = [
        "WireFormats", "Cryptography", "Tokens", "RequestSigning", "Policy", "Directory", "Seeds", "Calls", "Federation", "ObjectServing",
        "VirgaServer", "Fuzz",
    ]
    for target in package.targets where instrumented.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=\(sanitizers)"]))
    }
} else {
    package.targets.append(
        .testTarget(name: "FuzzTests", dependencies: parsers, path: folder, exclude: others + ["Fuzz.swift"], swiftSettings: settings))
}
