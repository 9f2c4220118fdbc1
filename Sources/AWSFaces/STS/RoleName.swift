/// What the ARN of a role says: `arn:aws:iam::<12 digits>:role/<path><name>`; those of Ceph may lack the digits.
/// (IAM User Guide, "IAM ARNs".)
struct RoleName {
    var account: String

    /// Nothing if the text is not the ARN of a role.
    init?(arn: String) {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn", fields[1].hasPrefix("aws"), fields[2] == "iam", fields[3].isEmpty,
            fields[4].isEmpty || fields[4].utf8.count == 12, fields[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            fields[5].hasPrefix("role/"), !fields[5].hasSuffix("/")
        else { return nil }
        account = String(fields[4])
    }
}
