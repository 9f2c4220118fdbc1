import ArgumentParser
import ClientEnvironment

/// The output format of environment variables.
enum EnvironmentFormat: String, CaseIterable, ExpressibleByArgument {
    case sh, fish, powershell, dotenv, github, profile

    /// Returns the lines that set and unset variables.
    func lines(_ variables: ClientVariables) -> [String] {
        switch self {
        case .sh:
            variables.unset.map { "unset \($0)" }
                + variables.set.map { "export \($0.name)='\($0.value.replacing("'", with: #"'\''"#))'" }
        case .fish:
            variables.unset.map { "set --erase \($0)" }
                + variables.set.map {
                    "set --export --global \($0.name) '\($0.value.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#))'"
                }
        case .powershell:
            variables.unset.map { "Remove-Item Env:\($0) -ErrorAction SilentlyContinue" }
                + variables.set.map { "$env:\($0.name) = '\(Self.quotedForPowerShell($0.value))'" }
        // These two formats cannot unset variables; Docker treats quotes as part of the value.
        case .dotenv: variables.unset.map { "# unset \($0)" } + variables.set.map { "\($0.name)=\($0.value)" }
        case .github: variables.set.map { "\($0.name)=\($0.value)" }
        case .profile: profile(variables)
        }
    }

    /// Quotes a text. PowerShell treats four more characters as single quotes. (about_Quoting_Rules.)
    private static func quotedForPowerShell(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            let isQuote = scalar == "'" || (0x2018...0x201B).contains(scalar.value)
            result += isQuote ? "\(scalar)\(scalar)" : String(scalar)
        }
    }

    /// Returns a profile for `~/.aws/config`. (AWS SDKs and Tools Reference Guide, "Shared config and credentials files".)
    private func profile(_ variables: ClientVariables) -> [String] {
        let names = [
            "AWS_ENDPOINT_URL": "endpoint_url", "AWS_REGION": "region", "AWS_ACCESS_KEY_ID": "aws_access_key_id",
            "AWS_SECRET_ACCESS_KEY": "aws_secret_access_key", "AWS_ROLE_ARN": "role_arn",
            "AWS_WEB_IDENTITY_TOKEN_FILE": "web_identity_token_file", "AWS_ROLE_SESSION_NAME": "role_session_name",
        ]
        return ["[profile virga]"] + variables.set.compactMap { variable in names[variable.name].map { "\($0) = \(variable.value)" } }
    }
}
