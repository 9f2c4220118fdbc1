import Directory
import NIOCore
import ObjectStore
import Policy
import Seeds
package import WireFormats

/// Exports a running sandbox as a seed, which creates the same directory, buckets and objects.
///
/// Secrets are exported in plain text.
package struct SeedExport {
    /// The seed.
    package private(set) var seed: JSONValue = .null
    /// The parts of the sandbox that the seed does not contain, one line for each.
    package internal(set) var leftOut: [String] = []

    /// The maximum size of exported objects, in bytes.
    static let longestObject: Int64 = 64 << 10

    /// Exports the current state of a sandbox.
    package init(of cloud: Cloud) async throws {
        let directory = cloud.directory
        let accounts = directory.accounts.values.sorted { $0.id < $1.id }
        var exported: [JSONValue] = []
        for account in accounts where account.vendor == .aws { exported.append(.object(try await self.account(account, cloud))) }
        var seeded = Seed()
        seeded.identityProviders = directory.providers.values.sorted { $0.name < $1.name }
        seeded.eventTargets = cloud.eventTargets
        seeded.regions = cloud.regionRule
        seeded.mobileCloud = Self.mobile(directory.mobile)
        var alibaba = SeedAlibaba()
        for account in accounts where account.vendor == .alibaba { alibaba.accounts.append(try await alibabaAccount(account, cloud)) }
        alibaba.appServer = directory.appServer
        seeded.alibaba = alibaba
        seeded.vendingMachines = vendingMachines(directory.vending)
        seeded.identityCenter = directory.credentialSources.identityCenter
        var seed = JSONObject()
        seed.add("accounts", exported)
        for (name, value) in try Seed.record.json(of: seeded).members where value != [:] { seed[name] = value }
        self.seed = .object(seed)
    }

    private static func mobile(_ mobile: MobileCloud) -> SeedMobileCloud {
        var seeded = SeedMobileCloud()
        seeded.environment = mobile.environment
        seeded.realms = mobile.realms.values.sorted { $0.key < $1.key }
        seeded.backends = mobile.backends.values.sorted { $0.key < $1.key }
        seeded.customAPIs = mobile.customAPIs.values.sorted { $0.key < $1.key }
        return seeded
    }

    mutating func bucket(_ bucket: Bucket, _ cloud: Cloud) async throws -> JSONObject {
        let configuration = bucket.configuration
        var seeded = SeedBucket(name: bucket.name, region: bucket.region)
        seeded.ownership = configuration.ownership
        switch configuration.publicAccessBlock {
        case nil: seeded.publicAccess = .allowed
        case .all: seeded.publicAccess = .blocked
        case .some: leftOut.append("bucket \(bucket.name): its public access block, of which only some settings are on")
        }
        seeded.versioning = isVersioned(bucket)
        seeded.tags = configuration.tags
        let documents = configuration.documents.keys.filter { $0 != .policy && $0 != .policyPrincipals }
        leaveOut(documents, of: bucket)
        if configuration.accessControl != nil { leftOut.append("bucket \(bucket.name): its ACL") }
        if configuration.hasObjectLock { leftOut.append("bucket \(bucket.name): object lock") }
        seeded.objects = try await objects(of: bucket, cloud)
        var json = try SeedBucket.record.json(of: seeded)
        if let policy = bucket.policy {
            let stored = try JSONValue(parsing: policy)
            json["policy"] = bucket.policyPrincipals.flatMap { BoundPrincipals(stored: $0).shown(stored, in: cloud.directory) } ?? stored
        }
        return json
    }

    /// Notes the settings of a bucket that the seed does not have.
    mutating func leaveOut(_ documents: [BucketDocument], of bucket: Bucket) {
        var typed = bucket.configuration
        typed.tags = []
        let names = documents.map(\.rawValue) + typed.values.map { $0.kind }
        if !names.isEmpty { leftOut.append("bucket \(bucket.name): \(names.sorted().joined(separator: ", "))") }
    }

    mutating func isVersioned(_ bucket: Bucket) -> Bool {
        switch bucket.configuration.versioning {
        case .never: return false
        case .enabled: return true
        case .suspended:
            leftOut.append("bucket \(bucket.name): that its versioning is suspended")
            return false
        }
    }

    /// Exports the current versions of the bucket's objects.
    mutating func objects(of bucket: Bucket, _ cloud: Cloud) async throws -> [SeedObject] {
        var objects: [SeedObject] = []
        var skipped = 0
        var after: String?
        repeat {
            let page = try await cloud.objects.list(ListQuery(after: after), in: bucket.id)
            for case .object(let listed) in page.entries {
                if let object = try await object(listed.key, bucket, cloud) { objects.append(object) } else { skipped += 1 }
            }
            after = page.isTruncated ? page.last : nil
        } while after != nil
        if skipped > 0 { leftOut.append("bucket \(bucket.name): \(skipped == 1 ? "1 object" : "\(skipped) objects") of more than 64 KiB") }
        return objects
    }

    /// Exports an object; `nil` if it is too large.
    private func object(_ key: String, _ bucket: Bucket, _ cloud: Cloud) async throws -> SeedObject? {
        guard case .object(let stored) = try cloud.objects.open(key, in: bucket.id), stored.record.size <= Self.longestObject else {
            return nil
        }
        var body: [UInt8] = []
        for try await chunk in stored.bytes() { body += chunk.readableBytesView }
        let attributes = stored.record.attributes
        return SeedObject(key: key, body: body, contentType: attributes.contentType, metadata: attributes.metadata)
    }
}

extension JSONObject {
    /// Adds a list unless it is empty.
    mutating func add(_ name: String, _ list: [JSONValue]) {
        if !list.isEmpty { self[name] = .array(list) }
    }
}
