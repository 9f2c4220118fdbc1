import WireFormats

/// Whether a general purpose bucket may be created under a name, apart from the namespace that it belongs to.
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
    /// Of one account in one region, which end the names of its buckets.
    case accountRegional = "account-regional"

    private static let mark = "-an"

    /// Whether a bucket of this name may be created in the namespace.
    func holds(_ name: String, account: String, region: String) -> Bool {
        switch self {
        case .global: !name.hasSuffix(Self.mark)
        case .accountRegional: name.hasSuffix("-\(account)-\(region)\(Self.mark)")
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
