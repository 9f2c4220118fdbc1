import Calls
import Cloud
import Federation
import Policy
import WireFormats

extension Inspector {
    /// Inspects a JSON document: a policy of IAM or RAM.
    func inspect(document: JSONObject) -> Inspection {
        guard document["Statement"] != nil else {
            var found = Inspection("json")
            found.decoded = ["document": .object(document)]
            found.verdict = "A JSON object that is not a policy."
            return found
        }
        var found = Inspection("policy")
        found.decoded = ["document": .object(document)]
        let dialect: PolicyDialect = document["Version"] == "1" ? .ram : .aws
        let kinds: [(PolicyDocument.Kind, String)] = [(.identity, "identity-based"), (.resource, "resource-based"), (.trust, "trust")]
        var accepted: [String] = []
        var refusals: [String] = []
        for (kind, name) in kinds {
            do throws(PolicySyntaxError) {
                _ = try PolicyDocument(json: .object(document), kind: kind, dialect: dialect)
                accepted.append(name)
            } catch { refusals.append("as \(name) policy: \(error)") }
        }
        found.decoded["kinds"] = .array(accepted.map(JSONValue.string))
        found.check(
            "syntax", !accepted.isEmpty,
            accepted.isEmpty ? refusals.joined(separator: "; ") : "valid as \(accepted.joined(separator: ", ")) policy.")
        found.conclude("A valid policy document (\(accepted.joined(separator: ", "))).")
        return found
    }

    /// Inspects the policy of a form; `nil` for another document. The checks are those of the first service that accepts it, or else of S3.
    ///
    /// The service also compares it with the fields of the form, and verifies the signature.
    func inspect(postPolicy bytes: [UInt8]) -> Inspection? {
        let document = (try? JSONValue(parsing: bytes))?.objectValue
        let judgements = services?.checkPostPolicy(bytes.base64, cloud.clock) ?? []
        let accepted = judgements.first { $0.checks.allSatisfy { $0.refusal == nil } }
        guard document?["conditions"] != nil && document?["expiration"] != nil || accepted != nil else { return nil }
        var found = Inspection("post_policy")
        found.decoded = ["document": document.map(JSONValue.object) ?? .string(String(decoding: bytes, as: UTF8.self))]
        let expiration = document?["expiration"]?.stringValue ?? ""
        if let (service, checks) = accepted ?? judgements.first {
            found.decoded["service"] = .string(service)
            for check in checks {
                let words = check.name == "times" ? "the policy expires at \(expiration)." : "\(service) can read the policy."
                found.check(check, passed: words)
            }
        }
        found.conclude("A valid policy of an upload form. Its signature is a field of its own.")
        return found
    }
}
