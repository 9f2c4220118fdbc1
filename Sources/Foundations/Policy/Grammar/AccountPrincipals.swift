package import WireFormats

extension PolicyDocument {
    /// Returns the document with the ARN of the root user in place of each bare account ID among its principals, as AWS stores it; `nil` if
    /// it has none. (IAM User Guide, "AWS JSON policy elements: Principal", "AWS account principals".)
    package func withAccountARNs() -> JSONValue? {
        guard var object = json.objectValue, let statement = object["Statement"] else { return nil }
        object["Statement"] = statement.arrayValue.map { .array($0.map(Self.normalized)) } ?? Self.normalized(statement)
        let normalized = JSONValue.object(object)
        guard normalized != json else { return nil }
        return normalized
    }

    private static func normalized(_ statement: JSONValue) -> JSONValue {
        guard var object = statement.objectValue else { return statement }
        for name in ["Principal", "NotPrincipal"] {
            guard var types = object[name]?.objectValue, let accounts = types["AWS"] else { continue }
            types["AWS"] = accounts.arrayValue.map { .array($0.map(accountARN)) } ?? accountARN(accounts)
            object[name] = .object(types)
        }
        return .object(object)
    }

    /// Returns the ARN of the root user for an account ID; another principal is returned unchanged.
    package static func accountARN(_ principal: JSONValue) -> JSONValue {
        guard let text = principal.stringValue, text.utf8.count == 12, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return principal }
        return .string("arn:aws:iam::\(text):root")
    }
}
