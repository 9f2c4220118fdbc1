import ObjectServing
import Testing
import WireFormats

@testable import ObjectStore

@Suite("The cached access rules of buckets")
struct BucketRulesTests {
    private static func bucket(_ number: Int64, revision: Int64 = 0, policy: String? = nil) -> Bucket {
        var configuration = BucketConfiguration()
        configuration.documents[.policy] = policy
        return Bucket(
            id: Bucket.ID(number: number), name: "bucket-\(number)", account: "1", region: "", created: Timestamp(seconds: 0),
            configuration: configuration, revision: revision)
    }

    @Test("are compiled once, even if two thousand buckets are requested in turn")
    func manyBuckets() throws {
        let cache = BucketRulesCache<Int64>()
        var compiled = 0
        for _ in 0..<3 {
            for number in 0..<2000 as Range<Int64> {
                let access = cache.rules(of: Self.bucket(number)).access { bucket in
                    compiled += 1
                    return bucket.id.number
                }
                #expect(access == number)
            }
        }
        #expect(compiled == 2000)
    }

    @Test("are compiled again after the bucket has changed")
    func revisions() throws {
        let cache = BucketRulesCache<String>()
        func policy(_ bucket: Bucket) -> String { cache.rules(of: bucket).access { $0.policy ?? "none" } }
        #expect(policy(Self.bucket(1)) == "none")
        #expect(policy(Self.bucket(1, revision: 1, policy: "new")) == "new")
        #expect(policy(Self.bucket(1, revision: 2, policy: "newer")) == "newer")
    }
}
