import Directory
import Federation
import WireFormats

/// Checks what a server answers about credentials, before it becomes variables and files: any program can answer at an endpoint, and its answer
/// must not run commands on this machine.
struct OfferCheck {
    /// Members with text of several lines, which are only written to files of their own.
    private static let documents: Set<String> = ["certificate", "privateKey"]

    /// The settings of a configuration file of AWS that a login has. `credential_process` is not among them.
    private static let settings: Set<String> = [
        "region", "sso_session", "sso_account_id", "sso_role_name", "sso_region", "sso_start_url", "sso_registration_scopes",
    ]

    /// Checks an answer.
    /// - Throws: ``Failure`` that names the member.
    static func check(_ answer: JSONObject) throws(Failure) {
        for (name, value) in answer.members where !documents.contains(name) {
            switch name {
            // Serialized JSON, which is written to a file of its own.
            case "cache": continue
            case "files": for (path, text) in try members(name, value) { try check(file: path, text) }
            case "variables":
                for (variable, text) in try members(name, value) {
                    try expect(JobService.isVariable(variable) && isLine(text), "the variable \(variable)")
                }
            case "claims":
                for (claim, text) in try members(name, value) {
                    try expect(WorkflowClaims.shownToJobs.contains { $0 == claim } && isLine(text), "the claim \(claim)")
                }
            // It follows the server's origin, which it must not extend to that of another server.
            case "path": try expect(value.stringValue.map { $0.hasPrefix("/") && isPlain($0) } ?? (value == .null), name)
            case "region": try expect(value.stringValue.map(isPlain) ?? (value == .null), name)
            default: if let text = value.stringValue { try expect(isLine(text), name) }
            }
        }
    }

    /// Checks a file of a login with IAM Identity Center.
    private static func check(file path: String, _ text: String) throws(Failure) {
        let cache = ".aws/sso/cache/"
        if path.hasPrefix(cache) {
            let name = path.dropFirst(cache.utf8.count)
            let isName =
                name.hasSuffix(".json")
                && name.dropLast(5).utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            return try expect(isName && (try? JSONValue(parsing: text)) != nil, path)
        }
        try expect(path == ".aws/config", "the file \(path)")
        for line in text.split(separator: "\n").map({ String($0) }) {
            if line.hasPrefix("[") {
                try expect(isSection(line), "a section of the file \(path)")
                continue
            }
            let name = String(line.prefix { $0 != " " && $0 != "=" })
            try expect(settings.contains(name) && isLine(line), "a setting of the file \(path)")
        }
    }

    /// Returns whether a line begins a section of a login: that of the default profile, or that of its session. Other sections, such as
    /// `[plugins]`, have settings of any name.
    private static func isSection(_ line: String) -> Bool {
        let session = "[sso-session "
        guard !line.equals("[default]") else { return true }
        return line.hasPrefix(session) && line.hasSuffix("]")
            && line.dropFirst(session.utf8.count).dropLast().utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_.".utf8.contains(byte)
                }
            }
    }

    private static func members(_ name: String, _ value: JSONValue) throws(Failure) -> [(String, String)] {
        var found: [(String, String)] = []
        for (member, value) in value.objectValue?.members ?? [] {
            guard let text = value.stringValue else { throw refusal("\(name).\(member)") }
            found.append((member, text))
        }
        return found
    }

    /// Returns whether a text has no control characters, none at which a program ends a line, and none that ends a quoted word.
    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x22, 0x7F...0x9F, 0x2028, 0x2029: false
            default: true
            }
        }
    }

    /// Returns whether a text has only characters that no shell and no file of variables treats as its own.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~/%:?=+,@".utf8.contains(byte)
            }
        }
    }

    private static func expect(_ isRight: Bool, _ member: String) throws(Failure) {
        guard isRight else { throw refusal(member) }
    }

    private static func refusal(_ member: String) -> Failure {
        Failure(description: "the server's answer is refused: \(member) is not what Virga sends")
    }
}
