import WireFormats

extension String {
    /// The account in an ARN; `nil` if the text is no ARN, or has no account of twelve digits.
    var accountInARN: String? {
        guard let owner = ownerInARN, owner.utf8.count == 12, owner.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return owner
    }

    /// What an ARN has in place of the account; `nil` if that is empty, and then the caller's account owns the resource.
    var ownerInARN: String? {
        guard hasPrefix("arn:") else { return nil }
        let parts = split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, !parts[4].isEmpty else { return nil }
        return String(parts[4])
    }
}
