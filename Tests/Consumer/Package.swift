// swift-tools-version: 6.2
import PackageDescription

let repository = Context.environment["VIRGA_REPOSITORY"] ?? "file:///virga"

let package = Package(
    name: "Consumer",
    dependencies: [.package(url: repository, exact: "0.0.1")],
    targets: [
        .executableTarget(name: "Consumer", dependencies: [.product(name: "VirgaTesting", package: "virga")]),
        .testTarget(
            name: "ConsumerTests",
            dependencies: [
                .product(name: "VirgaTesting", package: "virga"), .product(name: "VirgaSwiftTesting", package: "virga"),
            ]),
    ])
