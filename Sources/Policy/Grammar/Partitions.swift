import WireFormats

extension PolicyDocument {
    /// Rejects a policy that names a resource or a principal of another partition, such as `arn:aws-cn:…`. IAM checks this when a policy is
    /// saved. (IAM User Guide, "IAM ARNs"; roles delegate access within one partition only.)
    package func checkPartitions() throws(PolicySyntaxError) {
        for (index, statement) in (json["Statement"]?.arrayValue ?? [json["Statement"] ?? .null]).enumerated() {
            for name in ["Resource", "NotResource"] {
                for text in Self.texts(statement[name]) {
                    guard let partition = Self.otherPartition(text) else { continue }
                    throw PolicySyntaxError(
                        "Partition \"\(partition)\" is not valid for resource \"\(text)\".", at: "Statement[\(index)].\(name)")
                }
            }
            for name in ["Principal", "NotPrincipal"] {
                for text in Self.texts(statement[name]?["AWS"]) where Self.otherPartition(text) != nil {
                    throw PolicySyntaxError(PolicyParser.invalidPrincipal("AWS", text), at: "Statement[\(index)].\(name)")
                }
            }
        }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        value?.arrayValue?.compactMap(\.stringValue) ?? value?.stringValue.map { [$0] } ?? []
    }

    /// Returns the partition of an ARN if it is another one than AWS's standard partition.
    private static func otherPartition(_ arn: String) -> Substring? {
        let fields = arn.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "arn", fields[1].hasPrefix("aws-") else { return nil }
        return fields[1]
    }
}
