import WireFormats

extension PolicyDocument {
    /// A principal, as a policy names it.
    package struct NamedPrincipal: Sendable, Equatable {
        /// `AWS` or `Federated`.
        package let type: String
        /// The ARN.
        package let name: String
    }

    /// The first principal of another partition, such as `arn:aws-cn:…`. Roles and buckets can be shared within one partition only. (IAM User
    /// Guide, "IAM ARNs", and "AWS JSON policy elements: Principal".)
    package var principalOfAnotherPartition: NamedPrincipal? { foreignPrincipal?.principal }

    /// Rejects a policy that names a resource or a principal of another partition, such as `arn:aws-cn:…`. IAM and STS check this when they
    /// receive a policy.
    package func checkPartitions() throws(PolicySyntaxError) {
        for (index, statement) in statementsAsWritten.enumerated() {
            for name in ["Resource", "NotResource"] {
                for text in Self.texts(statement[name]) {
                    guard let partition = Self.otherPartition(text) else { continue }
                    throw PolicySyntaxError(
                        "Partition \"\(partition)\" is not valid for resource \"\(text)\".", at: "Statement[\(index)].\(name)")
                }
            }
        }
        if let (principal, place) = foreignPrincipal {
            // IAM writes the type in uppercase.
            throw PolicySyntaxError(PolicyParser.invalidPrincipal(principal.type.uppercased(), principal.name), at: place)
        }
    }

    private var foreignPrincipal: (principal: NamedPrincipal, place: String)? {
        for (index, statement) in statementsAsWritten.enumerated() {
            for element in ["Principal", "NotPrincipal"] {
                for type in ["AWS", "Federated"] {
                    guard let name = Self.texts(statement[element]?[type]).first(where: { Self.otherPartition($0) != nil }) else {
                        continue
                    }
                    return (NamedPrincipal(type: type, name: name), "Statement[\(index)].\(element)")
                }
            }
        }
        return nil
    }

    var statementsAsWritten: [JSONValue] { json["Statement"].map { $0.arrayValue ?? [$0] } ?? [] }

    static func texts(_ value: JSONValue?) -> [String] {
        value?.arrayValue?.compactMap(\.stringValue) ?? value?.stringValue.map { [$0] } ?? []
    }

    /// Returns the partition of an ARN if it is another one than AWS's standard partition.
    private static func otherPartition(_ arn: String) -> Substring? {
        let fields = arn.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "arn", fields[1].hasPrefix("aws-") else { return nil }
        return fields[1]
    }
}
