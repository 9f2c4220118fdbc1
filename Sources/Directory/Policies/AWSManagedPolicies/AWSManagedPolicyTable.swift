import CAWSManagedPolicies
import WireFormats

/// The AWS managed policies in the executable's read-only data, and an index that is read in place.
/// `Sources/CAWSManagedPolicies/refresh.py` updates the policies and generates the index.
enum AWSManagedPolicyTable {
    private static var places: Range<Int> { 0..<caws_managed_policies_count() }

    private static func name(of record: caws_managed_policy) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: record.path_and_name, count: record.path_and_name_count)
    }

    private static func entry(at place: Int) -> AWSManagedPolicy {
        let record = caws_managed_policy_at(place)
        return AWSManagedPolicy(
            pathAndName: String(decoding: name(of: record), as: UTF8.self), version: Int(record.version),
            created: Timestamp(seconds: Int64(record.created)), updated: Timestamp(seconds: Int64(record.updated)), place: place)
    }

    /// All policies, in the order of their paths and names.
    static var entries: [AWSManagedPolicy] { places.map { entry(at: $0) } }

    /// Returns the policy with a path and name, by binary search.
    static func entry(named pathAndName: some StringProtocol) -> AWSManagedPolicy? {
        var range = places
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = name(of: caws_managed_policy_at(middle))
            if found.elementsEqual(pathAndName.utf8) { return entry(at: middle) }
            range =
                found.lexicographicallyPrecedes(pathAndName.utf8) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Returns the document in a policy's file, or `nil` if the file is not a JSON object with a document.
    static func document(of policy: AWSManagedPolicy) -> JSONValue? {
        let record = caws_managed_policy_at(policy.place)
        let file = try? JSONValue(parsing: UnsafeBufferPointer(start: record.file, count: record.file_count))
        return file?["Document"]
    }
}
