import Directory
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
                    let isName = !claim.isEmpty && claim.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
                    try expect(isName && isLine(text), "the claim \(claim)")
                }
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
        for line in text.split(separator: "\n") where !(line.hasPrefix("[") && line.hasSuffix("]")) {
            let name = String(line.prefix { $0 != " " && $0 != "=" })
            try expect(settings.contains(name) && isLine(String(line)), "the setting \(name)")
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

    /// Returns whether a text has no control characters, and none that ends a quoted word.
    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && $0 != "\"" }
    }

    private static func expect(_ isRight: Bool, _ member: String) throws(Failure) {
        guard isRight else { throw refusal(member) }
    }

    private static func refusal(_ member: String) -> Failure {
        Failure(description: "the server's answer is refused: \(member) is not what Virga sends")
    }
}
