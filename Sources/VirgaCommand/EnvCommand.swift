import ArgumentParser

/// `virga env`: what points the AWS SDKs and the command line at the cloud.
struct EnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env", abstract: "Print export lines for the AWS SDKs and command line.",
        discussion: "Use it as: eval \"$(virga env)\"")

    @Option(help: "Where the cloud runs. [VIRGA_ENDPOINT, default http://127.0.0.1:4566]")
    var endpoint: String?

    func run() throws {
        let endpoint = try OriginArgument.endpoint(endpoint)
        for (name, value) in [
            ("AWS_ENDPOINT_URL", endpoint.text), ("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_REGION", "us-east-1"), ("AWS_DEFAULT_REGION", "us-east-1"), ("AWS_EC2_METADATA_DISABLED", "true"),
        ] {
            Output.line("export \(name)='\(value)'")
        }
    }
}
