import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

/// A bucket or a prefix in it, with the request that is decided for it.
struct ReachPlace: Sendable {
    /// The most places of one document.
    static let most = 12
    /// The places that every bucket can have, if no bucket is asked for. If there are few buckets, each can have more.
    private static let leastOfBucket = 3
    /// The last part of the key that is asked about where there is no object.
    private static let exampleKey = "example"
    private static let keysOfPrefixes = ["s3:prefix", "oss:prefix"]
    private static let keysOfListings = ["s3:delimiter", "s3:max-keys", "oss:delimiter"]

    let bucket: String
    let prefix: String
    let vendor: Vendor
    /// The key of the object that is asked about; `nil` for the bucket itself.
    let key: String?
    let action: String
    let resource: String
    /// The condition keys of the request.
    let context: [(key: String, value: String)]
    /// The condition keys, in lowercase, of which every such request has the value in ``context``, or none.
    let settledKeys: [String]

    /// - Parameter key: the key of an object with the prefix; `nil` if there is none.
    private init(_ access: ReachQuestion.Access, _ bucket: Bucket, prefix: String, key: String?) {
        self.bucket = bucket.name
        self.prefix = prefix
        vendor = Vendor(account: bucket.account)
        self.key = access == .list ? nil : key ?? prefix + Self.exampleKey
        settledKeys = Self.keysOfPrefixes + (access == .list ? [] : Self.keysOfListings)
        let path = self.key.map { "\(bucket.name)/\($0)" } ?? bucket.name
        switch vendor {
        case .aws:
            action = access.actionOfS3
            resource = "arn:aws:s3:::\(path)"
            context = access == .list && !prefix.isEmpty ? [("s3:prefix", prefix)] : []
        case .alibaba:
            action = access.actionOfOSS
            resource = "acs:oss:oss-\(bucket.region):\(bucket.account):\(path)"
            context = access == .list && !prefix.isEmpty ? [("oss:Prefix", prefix)] : []
        }
    }

    /// Returns the places of a question, and whether they are all of them.
    ///
    /// A place asks about the first object of its prefix, so that its tags and ACL count. The prefixes of a bucket end at their first slash.
    static func all(_ question: ReachQuestion, in cloud: Cloud) async throws -> (places: [ReachPlace], isComplete: Bool) {
        let all = cloud.objects.allBuckets.map(\.shownToOwner)
        guard let name = question.bucket else {
            var (places, isComplete): ([ReachPlace], Bool) = ([], true)
            let share = max(leastOfBucket, most / max(1, all.count))
            for bucket in all {
                guard places.count < most else { return (places, false) }
                let found = try await Self.prefixes(question.access, bucket, in: cloud, limit: min(share, most - places.count))
                places += found.places
                isComplete = isComplete && found.isComplete
            }
            return (places, isComplete)
        }
        guard let bucket = all.first(where: { $0.name == name }) else {
            throw ControlError(.notFound, "unknown_bucket", "There is no bucket '\(name)'.")
        }
        guard let prefix = question.prefix else { return try await prefixes(question.access, bucket, in: cloud, limit: most) }
        return ([try await place(question.access, bucket, prefix: prefix, in: cloud)], true)
    }

    /// Returns the first places of a bucket: that of its first object without a slash, and its prefixes.
    private static func prefixes(
        _ access: ReachQuestion.Access, _ bucket: Bucket, in cloud: Cloud, limit: Int
    ) async throws -> (places: [ReachPlace], isComplete: Bool) {
        let page = try await cloud.objects.list(ListQuery(delimiter: "/", limit: 200), in: bucket.id)
        var first: String?
        var prefixes: [String] = []
        for entry in page.entries {
            switch entry {
            case .object(let object): first = first ?? object.key
            case .commonPrefix(let prefix): prefixes.append(prefix)
            }
        }
        var places: [ReachPlace] = []
        if first != nil || prefixes.isEmpty || access == .list { places.append(ReachPlace(access, bucket, prefix: "", key: first)) }
        for prefix in prefixes where places.count < limit {
            places.append(try await place(access, bucket, prefix: prefix, in: cloud))
        }
        let isComplete = !page.isTruncated && places.count { !$0.prefix.isEmpty } == prefixes.count
        return (places, isComplete)
    }

    private static func place(
        _ access: ReachQuestion.Access, _ bucket: Bucket, prefix: String, in cloud: Cloud
    ) async throws -> ReachPlace {
        guard access != .list else { return ReachPlace(access, bucket, prefix: prefix, key: nil) }
        var key: String?
        let page = try await cloud.objects.list(ListQuery(prefix: prefix, limit: 1), in: bucket.id)
        if case .object(let object)? = page.entries.first { key = object.key }
        return ReachPlace(access, bucket, prefix: prefix, key: key)
    }

    var document: Document<ReachPlaceMembers> {
        Document {
            [
                $0.bucket(bucket), $0.prefix(prefix), $0.vendor(vendor == .aws ? "aws" : "alibaba"), $0.key(key), $0.action(action),
                $0.resource(resource), $0.context(context.json),
            ]
        }
    }
}

extension [(key: String, value: String)] {
    /// The pairs as an object.
    var json: JSONValue { .object(JSONObject(map { ($0.key, .string($0.value)) })) }

    /// The pairs as condition keys.
    var conditionKeys: [String: ConditionValues] {
        reduce(into: [:]) { $0[$1.key] = .one($1.value) }
    }
}
