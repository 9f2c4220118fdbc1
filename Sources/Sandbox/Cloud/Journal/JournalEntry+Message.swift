import Seeds
import WireFormats

extension JournalEntry {
    /// The maximum size of a stored message, in bytes.
    private static let keptBytes = 640
    /// The maximum length of a reason, in characters.
    private static let reasonLength = 300
    /// The length from which a run of characters without spaces is treated as a token or a signature.
    private static let tokenLength = 64

    /// Returns the part of a message that the journal stores.
    package static func bounded(message: String) -> String {
        message.utf8.count <= keptBytes ? message : String(decoding: message.utf8.prefix(keptBytes), as: UTF8.self)
    }

    /// Returns a message as one line without secrets, at most 300 characters; `nil` if nothing remains.
    static func reason(message: String) -> String? {
        let words = withoutSigned(message).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        var reason = withoutTokens(withoutValues(words))
        if reason.count > reasonLength { reason = reason.prefix(reasonLength - 1) + "…" }
        return reason.isEmpty ? nil : reason
    }

    /// Removes the string to sign and similar data from a message, which some services return to the client.
    private static func withoutSigned(_ message: String) -> Substring {
        let lowered = message.lowercased()
        // The lengths differ only in scripts that these messages do not use.
        guard lowered.utf8.count == message.utf8.count else { return message[...] }
        var end = message.utf8.count
        for mark in ["canonical string for", "canonical request", "string to sign", "string-to-sign", "stringtosign"] {
            if let range = lowered.firstRange(of: mark) {
                end = min(end, lowered.utf8.distance(from: lowered.startIndex, to: range.lowerBound))
            }
        }
        guard end < message.utf8.count else { return message[...] }
        // The sentence that contains it is removed as well.
        let head = message[..<message.utf8.index(message.startIndex, offsetBy: end)]
        return head.lastIndex { $0 == "." || $0 == "\n" }.map { head[...$0] } ?? ""
    }

    /// Removes secret parameter values, which AWS repeats: `Value 'x' at 'password' failed to satisfy constraint`.
    private static func withoutValues(_ message: String) -> String {
        guard message.contains("alue '") else { return message }
        var result = ""
        var rest = message[...]
        while let start = rest.firstRange(of: "alue '"), let end = rest[start.upperBound...].firstRange(of: "' at '") {
            let name = rest[end.upperBound...].prefix { $0 != "'" }.lowercased()
            let isSecret = secretNames.contains { name.contains($0) }
            result += rest[..<start.upperBound]
            result += isSecret ? "…" : rest[start.upperBound..<end.lowerBound]
            rest = rest[end.lowerBound...]
        }
        return result + rest
    }

    private static let secretNames = ["password", "token", "secret", "assertion", "signature", "code", "policy"]

    /// Removes JSON Web Tokens and other runs of characters that are long enough to be tokens.
    private static func withoutTokens(_ message: String) -> String {
        var result = ""
        var run = ""
        func end() {
            let isToken = run.utf8.count >= tokenLength || run.hasPrefix("eyJ") && run.utf8.count > 16
            result += isToken ? "…" : run
            run = ""
        }
        for character in message.unicodeScalars.lazy.map(Character.init) {
            if character.isASCII, character.isLetter || character.isNumber || "+/=_-.~%".contains(character) {
                run.append(character)
            } else {
                end()
                result.append(character)
            }
        }
        end()
        return result
    }
}
