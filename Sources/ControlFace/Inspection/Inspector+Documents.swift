import Calls
import Cloud
import Policy
import WireFormats

extension Inspector {
    /// Inspects a JSON document: a policy of IAM or RAM, or the policy of a form.
    func inspect(document: JSONObject) -> Inspection {
        if document["conditions"] != nil, document["expiration"] != nil { return inspect(form: document) }
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

    /// Inspects the base64 of a form's policy; `nil` for another text.
    func inspect(postPolicy text: String) -> Inspection? {
        guard let bytes = [UInt8](base64: text), let document = (try? JSONValue(parsing: bytes))?.objectValue,
            document["conditions"] != nil, document["expiration"] != nil
        else { return nil }
        return inspect(form: document)
    }

    private func inspect(form document: JSONObject) -> Inspection {
        var found = Inspection("post_policy")
        found.decoded = ["document": .object(document)]
        let expiration = document["expiration"]?.stringValue.flatMap { Timestamp(iso8601: $0) }
        found.check("expiration", expiration != nil, "the expiration is \(document["expiration"]?.serialized() ?? "").")
        if let expiration {
            let isOver = expiration <= cloud.clock.now
            found.check("times", !isOver, "the policy \(isOver ? "expired" : "expires") at \(expiration.iso8601); it is \(now).")
        }
        let isList = document["conditions"]?.arrayValue != nil
        found.check("conditions", isList, isList ? "the conditions are a list." : "'conditions' must be a list.")
        found.conclude("A valid policy of an upload form. Its signature is a field of its own.")
        return found
    }
}
