import Cloud
import Federation
import WireFormats

/// Whether the name is valid for a new general purpose bucket, regardless of the namespace.
/// (S3 User Guide, "General purpose bucket naming rules".)
func isValidBucketName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
    guard isLetterOrDigit(first), isLetterOrDigit(last) else { return false }
    for (byte, next) in zip(bytes, bytes.dropFirst()) {
        switch (byte, next) {
        case (0x2E, 0x2E), (0x2E, 0x2D), (0x2D, 0x2E): return false
        case (0x2E, _), (0x2D, _): continue
        default: guard isLetterOrDigit(byte) else { return false }
        }
    }
    let reservedPrefixes = ["xn--", "sthree-", "amzn-s3-demo-"]
    let reservedSuffixes = ["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"]
    return !reservedPrefixes.contains(where: name.hasPrefix) && !reservedSuffixes.contains(where: name.hasSuffix)
        && !isAddress(name)
}

/// The parts of the global namespace in which buckets are created. (S3 User Guide, "Namespaces for general purpose buckets".)
enum BucketNamespace: String {
    case global
    /// The namespace of one account in one region; its bucket names end with account, region and `-an`.
    case accountRegional = "account-regional"

    /// Rejects a name that does not belong to the namespace.
    /// (S3 User Guide, "Account regional namespace naming rules"; the error messages are observed.)
    /// - Throws: `InvalidNamespaceHeader`, `MissingNamespaceHeader`, `InvalidBucketName`.
    func check(_ name: String, account: String, region: String) throws(S3Error) {
        switch self {
        case .global where Self.isRegional(name): throw S3Error(.missingNamespaceHeader, nil, ["Header": "x-amz-bucket-namespace"])
        case .global:
            guard !name.hasSuffix(Self.mark) else { throw S3Error(.invalidBucketName, nil, ["BucketName": name]) }
        case .accountRegional:
            let suffix = "-\(account)-\(region)\(Self.mark)"
            guard name.hasSuffix(suffix) else {
                throw S3Error(
                    .invalidNamespaceHeader,
                    "The requested bucket name did not include the account-regional namespace suffix, but the provided x-amz-bucket-namespace header value is account-regional. Specify \(suffix) as the bucket name suffix to create a bucket in your account-regional namespace, or remove the header."
                )
            }
        }
    }

    private static let mark = "-an"

    /// Whether a name ends with any account, any region and `-an`.
    private static func isRegional(_ name: String) -> Bool {
        guard name.hasSuffix(mark) else { return false }
        let parts = name.dropLast(mark.utf8.count).split(separator: "-", omittingEmptySubsequences: false)
        return (3...4).contains { length in
            guard parts.count > length + 1 else { return false }
            let account = parts[parts.count - length - 1]
            return account.utf8.count == 12 && account.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && AWSRegion.isKnown(parts.suffix(length).joined(separator: "-"))
        }
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
}

/// Whether the name looks like an IPv4 address.
private func isAddress(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8(digits: $0) != nil }
}
