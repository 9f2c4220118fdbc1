package import Policy
package import WireFormats

/// The users and roles that a policy with principals was bound to when it was saved. AWS stores their unique identifiers in place of their
/// ARNs, so a principal that is created later under the same name does not match.
/// (IAM User Guide, "AWS JSON policy elements: Principal", "IAM user principals" and "IAM role principals".)
package struct BoundPrincipals: Hashable, Sendable {
    /// The unique identifiers, by the ARNs or identifiers in the policy.
    package let ids: [String: String]

    /// Creates the value from stored identifiers.
    package init(ids: [String: String]) { self.ids = ids }

    /// Finds the users and roles that a policy names. Names without a principal are left out.
    package init(of document: PolicyDocument, in directory: Directory) {
        var ids: [String: String] = [:]
        for name in document.principalNames { ids[name] = directory.uniqueID(ofPrincipal: name) }
        self.ids = ids
    }

    /// Reads the identifiers from the text in which a bucket stores them. Other texts have none.
    package init(stored text: String) {
        let members = (try? JSONValue(parsing: text))?.objectValue?.members ?? []
        ids = members.reduce(into: [:]) { $0[$1.name] = $1.value.stringValue }
    }

    /// The text in which a bucket stores the identifiers; `nil` if there are none.
    package var stored: String? {
        guard !ids.isEmpty else { return nil }
        return JSONValue.object(JSONObject(ids.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).serialized()
    }

    /// Returns the policy in which users and roles match by their unique identifiers.
    package func bind(_ document: PolicyDocument) -> PolicyDocument { ids.isEmpty ? document : document.bound { ids[$0] } }

    /// Returns a policy as it is displayed: with the unique identifiers of deleted principals, and the present ARNs of renamed ones.
    /// - Returns: `nil` if every ARN in the policy still belongs to its principal.
    package func shown(_ json: JSONValue, in directory: Directory) -> JSONValue? {
        let changed = ids.filter { name, id in name != id && directory.uniqueID(ofPrincipal: name) != id }
        guard !changed.isEmpty else { return nil }
        let names = changed.mapValues { directory.arn(ofPrincipal: $0) ?? $0 }
        var json = json
        json.replaceMember("Statement") { statements in
            statements.replaceEach { statement in
                for element in ["Principal", "NotPrincipal"] {
                    statement.replaceMember(element) { principal in
                        principal.replaceMember("AWS") { values in
                            values.replaceEach { value in
                                if let name = value.stringValue.flatMap({ names[$0] }) { value = .string(name) }
                            }
                        }
                    }
                }
            }
        }
        return json
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
