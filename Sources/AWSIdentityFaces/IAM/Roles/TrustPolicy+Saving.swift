import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension TrustPolicy {
    /// Parses a trust policy and binds its users and roles to the principals that have those names now.
    ///
    /// Principals of accounts that the sandbox does not have are accepted without a check.
    /// - Throws: `MalformedPolicyDocument`, or `LimitExceeded` for a text that is too long.
    init(saving text: String, in directory: Directory, _ dialect: Dialect) throws(QueryError) {
        let document = try PolicyDocument.written(text, as: .trust, in: dialect)
        guard text.countedSize <= 2048 else { throw .limitExceeded("Cannot exceed quota for ACLSizePerRole: 2048") }
        var bound: [String: String] = [:]
        do throws(PolicySyntaxError) {
            try document.checkSharedProviders()
            for name in document.principalNames {
                if let id = directory.uniqueID(ofPrincipal: name) {
                    bound[name] = id
                } else if !Self.isElsewhere(name, directory) {
                    throw PolicySyntaxError.unknownPrincipal(name)
                }
            }
        } catch {
            throw QueryError(error)
        }
        self.init(document: document, text: text, bound: bound)
    }

    /// Returns whether an ARN belongs to an account that the sandbox does not have.
    private static func isElsewhere(_ arn: String, _ directory: Directory) -> Bool {
        let fields = arn.split(separator: ":", omittingEmptySubsequences: false)
        return fields.count >= 6 && directory.accounts[String(fields[4])] == nil
    }

    /// Returns the text to display: as it was saved, but with the unique identifier instead of the ARN of a deleted principal.
    /// (IAM User Guide, "AWS JSON policy elements: Principal", "IAM user principals".)
    func shownText(in directory: Directory) -> String {
        let gone = bound.filter { arn, id in arn != id && directory.uniqueID(ofPrincipal: arn) != id }
        guard !gone.isEmpty else { return text ?? document.json.serialized() }
        var json = document.json
        json.replaceMember("Statement") { statements in
            statements.replaceEach { statement in
                statement.replaceMember("Principal") { principal in
                    principal.replaceMember("AWS") { names in
                        names.replaceEach { name in
                            if let id = name.stringValue.flatMap({ gone[$0] }) { name = .string(id) }
                        }
                    }
                }
            }
        }
        return json.serialized()
    }
}

extension JSONValue {
    /// Changes the member of an object, if it exists.
    fileprivate mutating func replaceMember(_ name: String, _ change: (inout JSONValue) -> Void) {
        guard case .object(var members) = self, var value = members[name] else { return }
        change(&value)
        members[name] = value
        self = .object(members)
    }

    /// Changes every element of a list, or the value itself if it is not a list.
    fileprivate mutating func replaceEach(_ change: (inout JSONValue) -> Void) {
        guard case .array(var values) = self else { return change(&self) }
        for index in values.indices { change(&values[index]) }
        self = .array(values)
    }
}
