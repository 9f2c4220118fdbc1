import ArgumentParser
import ClientEnvironment
import WireFormats

/// The output format of environment variables.
enum EnvironmentFormat: String, CaseIterable, ExpressibleByArgument {
    case sh, fish, powershell, dotenv, github, profile

    /// Returns the lines that set and unset variables. No value has a meaning for the program that reads the lines.
    /// - Throws: ``Failure`` for a value that the format cannot have.
    func lines(_ variables: ClientVariables) throws(Failure) -> [String] {
        switch self {
        case .sh:
            return variables.unset.map { "unset \($0)" }
                + variables.set.map { "export \($0.name)=\(Self.quotedForShell($0.value))" }
        case .fish:
            return variables.unset.map { "set --erase \($0)" }
                + variables.set.map { "set --export --global \($0.name) \(Self.quotedForFish($0.value))" }
        case .powershell:
            return variables.unset.map { "Remove-Item Env:\($0) -ErrorAction SilentlyContinue" }
                + variables.set.map { "$env:\($0.name) = \(Self.quotedForPowerShell($0.value))" }
        // These two formats cannot unset variables.
        case .dotenv:
            var lines = variables.unset.map { "# unset \($0)" }
            for (name, value) in variables.set {
                let quoted = try quotedForFile(name, value)
                lines.append("\(name)=\(quoted)")
            }
            return lines
        case .github:
            var lines: [String] = []
            for (name, value) in variables.set {
                guard Self.isLine(value) else { throw refusal(of: name) }
                lines.append("\(name)=\(value)")
            }
            return lines
        case .profile: return try profile(variables)
        }
    }

    /// Quotes a value for a file of variables. Docker treats quotes as part of the value, so that plain values have none. Shells, Docker Compose
    /// and the libraries that read such files agree on the two forms that are used for others.
    private func quotedForFile(_ name: String, _ value: String) throws(Failure) -> String {
        if value.utf8.allSatisfy({ Self.isPlain($0) }) { return value }
        // Some readers expand variables, and read two backslashes as one, even between single quotes.
        guard Self.isLine(value), !value.contains("${"), !value.contains(#"\\"#), !value.hasSuffix(#"\"#) else { throw refusal(of: name) }
        guard value.utf8.contains(UInt8(ascii: "'")) else { return "'\(value)'" }
        guard !value.utf8.contains(where: { Self.isSpecialInQuotes($0) }) else { throw refusal(of: name) }
        return "\"\(value)\""
    }

    private func refusal(of name: String) -> Failure {
        Failure(
            description: "the value of \(name) has characters that the format \(rawValue) cannot have; use --format sh, fish or powershell")
    }

    /// Returns whether a byte means itself in every file of variables.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_./:@%+=,*[]?".utf8.contains(byte)
        }
    }

    /// Returns whether a byte has a meaning between double quotes.
    private static func isSpecialInQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "$"), UInt8(ascii: "\\"), UInt8(ascii: "`"): true
        default: false
        }
    }

    /// Returns whether a text has no control characters, and none at which a program ends a line.
    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: false
            default: true
            }
        }
    }

    private static func quotedForShell(_ text: String) -> String {
        let escaped = text.replacing("'", with: #"'\''"#)
        return "'\(escaped)'"
    }

    private static func quotedForFish(_ text: String) -> String {
        let escaped = text.replacing(#"\"#, with: #"\\"#)
        return "'\(escaped.replacing("'", with: #"\'"#))'"
    }

    /// Quotes a text. PowerShell treats four more characters as single quotes. (about_Quoting_Rules.)
    private static func quotedForPowerShell(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            let isQuote = scalar == "'" || (0x2018...0x201B).contains(scalar.value)
            escaped += isQuote ? "\(scalar)\(scalar)" : String(scalar)
        }
        return "'\(escaped)'"
    }

    /// Returns a profile for `~/.aws/config`. (AWS SDKs and Tools Reference Guide, "Shared config and credentials files".)
    private func profile(_ variables: ClientVariables) throws(Failure) -> [String] {
        let names = [
            "AWS_ENDPOINT_URL": "endpoint_url", "AWS_REGION": "region", "AWS_ACCESS_KEY_ID": "aws_access_key_id",
            "AWS_SECRET_ACCESS_KEY": "aws_secret_access_key", "AWS_ROLE_ARN": "role_arn",
            "AWS_WEB_IDENTITY_TOKEN_FILE": "web_identity_token_file", "AWS_ROLE_SESSION_NAME": "role_session_name",
        ]
        var lines = ["[profile virga]"]
        for (name, value) in variables.set {
            guard let setting = names[name] else { continue }
            guard Self.isLine(value), Self.isWholeSetting(value) else { throw refusal(of: name) }
            lines.append("\(setting) = \(value)")
        }
        return lines
    }

    /// Returns whether SDKs read a value to its end and from its beginning: spaces around it are removed, and after a space a comment can begin.
    private static func isWholeSetting(_ value: String) -> Bool {
        !value.hasPrefix(" ") && !value.hasSuffix(" ") && !value.contains(" #") && !value.contains(" ;")
    }
}
