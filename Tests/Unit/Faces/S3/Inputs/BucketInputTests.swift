import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing

@testable import S3Face

@Suite("Inputs of operations on buckets")
struct BucketInputTests {
    @Test("CreateBucket")
    func create() throws {
        let plain = CreateBucketInput(try s3Fields())
        #expect(try plain.namespace.get() == .global)
        #expect(plain.ownership == nil)
        #expect(!plain.locksObjects)
        #expect(plain.accessControl.isEmpty)
        let asked = CreateBucketInput(
            try s3Fields(
                "",
                [
                    .bucketNamespace: "account-regional", .objectOwnership: "ObjectWriter", .objectLockEnabled: "True",
                    .cannedACL: "public-read",
                ]))
        #expect(try asked.namespace.get() == .accountRegional)
        #expect(try asked.ownership?.get() == .objectWriter)
        #expect(asked.locksObjects)
        #expect(asked.accessControl.canned == "public-read")
        let wrong = CreateBucketInput(try s3Fields("", [.bucketNamespace: "x", .objectOwnership: "x"]))
        #expect(throws: S3Error.self) { try wrong.namespace.get() }
        #expect(throws: S3Error.self) { try wrong.ownership?.get() }
    }

    @Test("PutBucketAcl")
    func acl() throws {
        let unknown = HTTPField.Name(literal: "x-amz-grant-x")
        let asked = PutAclInput(try s3Fields("", [.grantRead: "id=\"a\"", .grantFullControl: "id=\"b\""])).accessControl
        #expect(asked.canned == nil)
        #expect(asked.grants.map(\.permission) == [.read, .fullControl])
        #expect(!asked.isEmpty)
        #expect(PutAclInput(try s3Fields()).accessControl.isEmpty)
        let strange = PutAclInput(try s3Fields("", [unknown: "id=\"a\""])).accessControl
        #expect(strange.grants.isEmpty)
        #expect(!strange.isEmpty)
    }

    @Test("PutBucketPolicy, PutBucketNotificationConfiguration and PutBucketLifecycleConfiguration")
    func settings() throws {
        let confirming: HTTPFields = [.confirmRemoveSelfBucketAccess: "true"]
        #expect(PutBucketPolicyInput(try s3Fields("", confirming, .ceph)).removesSelfAccess)
        #expect(!PutBucketPolicyInput(try s3Fields("", confirming, .aws)).removesSelfAccess)
        #expect(PutNotificationInput(try s3Fields("", [.skipDestinationValidation: "TRUE"])).skipsDestinationValidation)
        #expect(!PutNotificationInput(try s3Fields("", [.skipDestinationValidation: "yes"])).skipsDestinationValidation)
        #expect(try PutLifecycleInput(try s3Fields()).minimumTransitionSize == .all)
        let size = LifecycleConfiguration.MinimumTransitionSize.byClass
        #expect(try PutLifecycleInput(try s3Fields("", [.transitionMinimumSize: size.rawValue])).minimumTransitionSize == size)
        #expect(refusal(PutLifecycleInput.self, try s3Fields("", [.transitionMinimumSize: "x"])) == .invalidRequest)
    }

    @Test("Configurations with identifiers")
    func configurations() throws {
        #expect(try ConfigurationInput(try s3Fields("id=a-B.9_")).id == "a-B.9_")
        for query in ["", "id=", "id=a/b", "id=" + String(repeating: "a", count: 65)] {
            #expect(refusal(ConfigurationInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
        let token = ContinuationToken.token(after: "one")
        #expect(try ListConfigurationsInput(try s3Fields("continuation-token=\(token)")).after == "one")
        #expect(try ListConfigurationsInput(try s3Fields()).after == nil)
        #expect(refusal(ListConfigurationsInput.self, try s3Fields("continuation-token=x")) == .invalidArgument)
    }
}
