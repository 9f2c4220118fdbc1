import ArgumentParser
import ClientEnvironment
import Directory
import WireFormats

/// `virga env`: prints the variables that point SDKs and CLIs at a running cloud.
struct EnvCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env", abstract: "Print the variables that point SDKs at a running cloud.",
        discussion: """
            Use it as: eval "$(virga env)"

            Prints the root keys of the built-in seed, with --as and --role a web identity without keys, or with --credentials where \
            SDKs find the credentials of a role. Unsets what would win against it, such as AWS_PROFILE.
            """)

    @Option(help: "sh, fish, powershell, dotenv, github (for $GITHUB_ENV) or profile (for ~/.aws/config).")
    var format = EnvironmentFormat.sh

    @OptionGroup var webIdentity: WebIdentityArguments

    @OptionGroup var credentials: CredentialArguments

    @Option(help: "Where to write the token of --as or of a pod. (default: a file in a folder that only you can read)")
    var tokenFile: String?

    @OptionGroup var server: ServerArguments

    func validate() throws {
        try credentials.check(beside: webIdentity)
        if credentials.source != nil, format == .profile {
            throw ValidationError("A profile has no place for --credentials; use another --format.")
        }
        if credentials.source?.kind == .identityCenter, tokenFile != nil {
            throw ValidationError("--token-file is not for identity-center, whose files are in a home folder.")
        }
    }

    func run() async throws {
        let endpoint = try await server.sandboxOrigin()
        let identity: ClientVariables.Identity
        if let (person, role) = webIdentity.identity {
            let name = "\(person.user)@\(person.provider)".replacing("/", with: "-")
            let file: String
            if let tokenFile {
                file = PrivateFile.absolute(tokenFile)
            } else {
                let folder = try OwnFolder.path()
                file = "\(folder)/\(endpoint.fileName)-\(name).token"
            }
            let controlToken = try server.token
            try await reporting {
                let token = try await CloudClient.with(endpoint) { try await $0.token(of: person, controlToken: controlToken) }
                try PrivateFile.write(token, to: file, takesDevices: tokenFile != nil)
            }
            identity = .token(person, role: role, file: file)
        } else if let source = credentials.source {
            let controlToken = try server.token
            let name = (source.name ?? (source.kind == .pod ? "pod" : source.kind.rawValue)).replacing("/", with: "-")
            identity = try await reporting {
                let offer = try await CloudClient.with(endpoint) { try await $0.offer(of: source, controlToken: controlToken) }
                return .source(
                    try offer.source(at: endpoint) { text, kind in
                        if kind == "token", let tokenFile {
                            let path = PrivateFile.absolute(tokenFile)
                            try PrivateFile.write(text, to: path, takesDevices: true)
                            return path
                        }
                        let folder = try OwnFolder.path()
                        // SDKs look for the cache of a login by the name of its file.
                        let file = kind.hasSuffix(".json") ? kind : "\(endpoint.fileName)-\(name).\(kind)"
                        let path = "\(folder)/\(file)"
                        try PrivateFile.write(text, to: path)
                        return path
                    } writeHome: { files in
                        let person = source.name == nil ? "" : "-\(name)"
                        let folder = try OwnFolder.path()
                        let home = "\(folder)/\(endpoint.fileName)-\(source.kind.rawValue)\(person)"
                        try HomeFolder.write(files, to: home)
                        return home
                    })
            }
        } else {
            identity = ClientVariables.builtInKeys
        }
        let variables = ClientVariables(endpoint: endpoint.text, identity: identity, environment: Variables.all)
        for line in try format.lines(variables) { Output.line(line) }
    }
}
