import Calls
import Cloud
import HTTPTypes
package import ObjectServing
package import ObjectStore
import WireFormats

extension OSSRequest {
    private static let lifecycleRoot = "LifecycleConfiguration"

    /// GetBucketLifecycle. Returns the document as it was put, with generated names for rules that had none.
    func getBucketLifecycle(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketLifecycle, on: bucket)
        guard let kept = try configuration(.ossLifecycle, of: bucket) else {
            throw OSSError(.noSuchLifecycle, nil, ["BucketName": bucket.name])
        }
        return answer(root: Self.lifecycleRoot) { xml in
            for rule in kept.children where rule.name == "Rule" { rule.encode(into: &xml) }
        }
    }

    func putBucketLifecycle(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketLifecycle, on: bucket)
        let allowsOverlap = try input(PutBucketLifecycleInput.self).allowsOverlap
        var element = try await xmlDocument(Self.lifecycleRoot, holding: [.init("Rule", .members(LifecycleRule.schema), .several)])
        let configuration = try LifecycleConfiguration(oss: element, allowsOverlap: allowsOverlap, declared: clock.now)
        // The time of the request is stored after the rules and is not part of the returned document.
        element.content = zip(element.children, configuration.rules).map { .element($0.named($1.id)) }
        element.content.append(.element(XMLElement("Declared", in: "", text: String(configuration.declared.milliseconds))))
        try await store(storedText(element), as: .ossLifecycle, in: bucket)
        return answer()
    }

    /// DeleteBucketLifecycle. Succeeds even if there are no rules.
    func deleteBucketLifecycle(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketLifecycle, on: bucket)
        try await store(nil, as: .ossLifecycle, in: bucket)
        return answer(.noContent)
    }
}

extension XMLElement {
    /// Returns a rule with the given ID, which is generated if the client specified none.
    fileprivate func named(_ id: String) -> XMLElement {
        var rule = self
        rule.content.removeAll { node in
            if case .element(let element) = node { element.name == "ID" } else { true }
        }
        rule.content.insert(.element(XMLElement("ID", in: "", text: id)), at: 0)
        return rule
    }
}

extension LifecycleConfiguration {
    /// Returns the lifecycle rules that were put with OSS; `nil` if the bucket has none.
    package static func ofOSS(_ bucket: Bucket) throws -> LifecycleConfiguration? {
        guard let text = bucket.configuration.documents[.ossLifecycle] else { return nil }
        var element = try XMLElement(parsing: Array(text.utf8))
        let declared = element.child("Declared").flatMap { Int64($0.text) } ?? 0
        element.content.removeAll { node in
            if case .element(let element) = node { element.name == "Declared" } else { false }
        }
        return try LifecycleConfiguration(oss: element, allowsOverlap: true, declared: Timestamp(milliseconds: declared))
    }
}
