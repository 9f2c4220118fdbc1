import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about principals and buckets of all accounts, and presigned URLs.
    static let contents: [ControlCall] = [
        ControlCall(
            method: .get, template: "/principals", operation: .principals,
            summary: "Lists root users, users, roles and live sessions of all accounts.",
            answers: [200: .document(PrincipalListMembers.self)]),
        ControlCall(
            method: .get, template: "/reach", operation: .reach,
            summary: "Returns who can reach which buckets and prefixes.",
            query: [
                "access": Schemas.choice(ReachMembers.accesses), "kind": Schemas.choice(ReachMembers.kinds), "bucket": Schemas.text,
                "prefix": Schemas.text, "from": ["type": "integer", "minimum": 0, "maximum": 1_000_000_000],
                "limit": ["type": "integer", "minimum": 1, "maximum": 100],
            ],
            answers: [200: .document(ReachMembers.self)], refusals: [404]),
        ControlCall(
            method: .get, template: "/buckets", operation: .buckets, summary: "Lists the buckets of all accounts.",
            answers: [200: .document(BucketListMembers.self)]),
        ControlCall(
            method: .delete, template: "/buckets/{name}", operation: .bucket,
            summary: "Deletes a bucket with everything in it, also what retention or a policy protects.",
            answers: [200: .json(Schemas.object(["status": Schemas.choice(["ok"]), "deleted": Schemas.number]))], refusals: [404, 409]),
        ControlCall(
            method: .get, template: "/user-pools/codes", operation: .userPoolCodes,
            summary: "Lists the codes and temporary passwords that user pools of Amazon Cognito sent, the newest first.",
            query: ["pool": Schemas.text, "user": Schemas.text],
            answers: [200: .document(UserPoolCodeListMembers.self)]),
        ControlCall(
            method: .post, template: "/presign", operation: .presign,
            summary: "Returns a presigned URL of S3 or OSS, signed as a principal.", body: .json(presignOrder),
            answers: [200: .json(presigned)], refusals: [404]),
    ]

    private static let presignOrder: JSONValue = {
        let keys = Schemas.object(
            ["accessKeyId": Schemas.text, "secretAccessKey": Schemas.text, "sessionToken": Schemas.text],
            required: ["accessKeyId", "secretAccessKey"])
        return Schemas.object(
            [
                "as": ["anyOf": [Schemas.text, keys]], "service": Schemas.text, "region": Schemas.text,
                "signature": Schemas.choice(["v4", "v2", "oss-v1", "oss-v2", "oss-v4"]), "method": Schemas.text,
                "target": ["type": "string", "pattern": "^/"],
                "headers": ["anyOf": [["type": "object", "additionalProperties": Schemas.text], [Document<HeaderMembers>].schema]],
                "expires": ["type": "integer", "minimum": 1, "maximum": 604_800],
            ], required: ["as", "target"])
    }()

    private static let presigned = Schemas.object([
        "url": Schemas.text, "target": Schemas.text, "signature": Schemas.text, "expires": Schemas.date,
    ])
}
