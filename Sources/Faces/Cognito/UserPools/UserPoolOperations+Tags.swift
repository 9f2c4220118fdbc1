import Cloud
import Directory
import Federation
import Policy
import WireFormats

extension SignedUserPoolCall {
    private mutating func resourceARN() throws(UserPoolError) -> String { try input.requiredText("ResourceArn", length: 20...2048) }

    /// Returns the pool with an ARN, once the caller is authorized.
    private func pool(arn: String) throws(UserPoolError) -> UserPool {
        guard let slash = arn.lastIndex(of: "/") else { throw .invalidParameter("Invalid ARN: \(arn)") }
        return try pool(String(arn[slash...].dropFirst()))
    }

    private func replaceTags(of pool: UserPool, with tags: [Tag]) async throws {
        var pool = pool
        pool.tags = tags.sorted { $0.key < $1.key }
        let changed = pool
        try await cloud.edit { directory in directory.put(inUserPools: .pool(changed)) }
    }

    /// TagResource.
    mutating func tagResource() async throws -> JSONValue? {
        let (arn, tags) = (try resourceARN(), try input.tags("Tags"))
        let pool = try pool(arn: arn)
        let kept = pool.tags.filter { old in !tags.contains { $0.key == old.key } }
        guard kept.count + tags.count <= 50 else { throw UserPoolError.invalidParameter("A user pool can have at most 50 tags.") }
        try await replaceTags(of: pool, with: kept + tags)
        return [:]
    }

    /// UntagResource.
    mutating func untagResource() async throws -> JSONValue? {
        let (arn, keys) = (try resourceARN(), try input.texts("TagKeys") ?? [])
        let pool = try pool(arn: arn)
        try await replaceTags(of: pool, with: pool.tags.filter { !keys.contains($0.key) })
        return [:]
    }

    /// ListTagsForResource.
    mutating func listTagsForResource() async throws -> JSONValue? {
        let arn = try resourceARN()
        let tags = try pool(arn: arn).tags
        return ["Tags": .object(JSONObject(tags.map { ($0.key, JSONValue.string($0.value)) }))]
    }
}
