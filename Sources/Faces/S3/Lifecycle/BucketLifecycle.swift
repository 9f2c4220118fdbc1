import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func getBucketLifecycleConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getLifecycleConfiguration, on: bucket)
        guard let configuration = try lifecycle(of: bucket) else {
            throw S3Error(.noSuchLifecycleConfiguration, nil, ["BucketName": name])
        }
        return answer(
            .ok, [.transitionMinimumSize: (configuration.minimumTransitionSize ?? .all).rawValue], root: LifecycleConfiguration.root,
            configuration.encode)
    }

    /// PutBucketLifecycleConfiguration, and the older PutBucketLifecycle, whose document only differs in the prefix of rules.
    func putBucketLifecycleConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putLifecycleConfiguration, on: bucket)
        let body = try await configurationDocument(LifecycleConfiguration.root, needsDigest: true).holding(LifecycleConfiguration.schema)
        let minimum = try input(PutLifecycleInput.self).minimumTransitionSize
        let configuration = try LifecycleConfiguration(body, minimumTransitionSize: minimum, declared: clock.now)
        try await store(configuration.stored, as: .lifecycle, in: bucket)
        return answer(.ok, [.transitionMinimumSize: minimum.rawValue])
    }

    /// DeleteBucketLifecycle. Succeeds even if there are no rules.
    func deleteBucketLifecycle(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putLifecycleConfiguration, on: bucket)
        try await store(nil, as: .lifecycle, in: bucket)
        return answer(.noContent)
    }

    /// The rules of a bucket; `nil` if it has none.
    func lifecycle(of bucket: Bucket) throws(S3Error) -> LifecycleConfiguration? {
        try configuration(.lifecycle, of: bucket, LifecycleConfiguration.init(stored:))
    }
}

extension LifecycleConfiguration {
    private static let minimumAttribute = "minimum"
    private static let declaredAttribute = "declared"

    /// The text to store: the returned document, with the properties that are not part of it as attributes of its root.
    var stored: String {
        var xml = XMLWriter()
        xml.element(
            Self.root, namespace: S3Face.namespace,
            attributes: [
                Self.minimumAttribute: (minimumTransitionSize ?? .all).rawValue, Self.declaredAttribute: String(declared.milliseconds),
            ], encode)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    init(stored element: XMLElement) throws(S3Error) {
        try self.init(
            element,
            minimumTransitionSize: element.attribute(Self.minimumAttribute).flatMap(MinimumTransitionSize.init) ?? .all,
            declared: Timestamp(milliseconds: element.attribute(Self.declaredAttribute).flatMap { Int64($0) } ?? 0))
    }
}
