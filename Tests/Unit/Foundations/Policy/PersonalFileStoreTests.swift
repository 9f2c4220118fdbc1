import Policy
import Testing
import WireFormats

/// The access policy of AWS's article "Web Identity Federation with Mobile Applications".
@Suite("The personal file store")
struct PersonalFileStoreTests {
    static let text = #"""
        {"Version":"2012-10-17","Statement":[
          {"Effect":"Allow","Action":["s3:ListBucket"],"Resource":["arn:aws:s3:::personal-files"],
           "Condition":{"StringLike":{"s3:prefix":["${graph.facebook.com:id}/*"]}}},
          {"Effect":"Allow","Action":["s3:GetObject","s3:PutObject","s3:DeleteObject"],
           "Resource":["arn:aws:s3:::personal-files/${graph.facebook.com:id}","arn:aws:s3:::personal-files/${graph.facebook.com:id}/*"]}]}
        """#

    @Test(
        "gives every user a folder",
        arguments: [
            ("s3:GetObject", "arn:aws:s3:::personal-files/1001/notes.txt", nil, true),
            ("s3:PutObject", "arn:aws:s3:::personal-files/1001/a/b", nil, true),
            ("s3:DeleteObject", "arn:aws:s3:::personal-files/1001/a", nil, true),
            ("s3:GetObject", "arn:aws:s3:::personal-files/1002/notes.txt", nil, false),
            ("s3:GetObject", "arn:aws:s3:::personal-files/10011/x", nil, false),
            ("s3:GetObjectAcl", "arn:aws:s3:::personal-files/1001/notes.txt", nil, false),
            ("s3:GetObject", "arn:aws:s3:::other/1001/x", nil, false), ("s3:ListBucket", "arn:aws:s3:::personal-files", "1001/", true),
            ("s3:ListBucket", "arn:aws:s3:::personal-files", "1001/a/", true),
            ("s3:ListBucket", "arn:aws:s3:::personal-files", "1002/", false),
            ("s3:ListBucket", "arn:aws:s3:::personal-files", "", false), ("s3:ListBucket", "arn:aws:s3:::personal-files", nil, false),
            ("s3:ListBucket", "arn:aws:s3:::personal-files", "*/", false),
        ] as [(String, String, String?, Bool)])
    func folders(_ action: String, _ resource: String, _ prefix: String?, _ allowed: Bool) throws {
        let set = PolicySet(identity: [AttachedPolicy("personal-files", try PolicyDocument(parsing: Self.text, kind: .identity))])
        var keys: [String: ConditionValues] = ["graph.facebook.com:id": .one("1001"), "graph.facebook.com:app_id": .one("111")]
        keys["s3:prefix"] = prefix.map { .one($0) }
        let request = request(action, on: resource, by: roleSession, with: keys)
        #expect(set.decision(for: request).isAllowed == allowed)
        #expect(set.trace(for: request).decision.isAllowed == allowed)
    }

    @Test("gives a user of another provider nothing")
    func otherProvider() throws {
        let set = PolicySet(identity: [AttachedPolicy("personal-files", try PolicyDocument(parsing: Self.text, kind: .identity))])
        let keys: [String: ConditionValues] = ["www.amazon.com:user_id": .one("1001")]
        #expect(!set.decision(for: request(on: "arn:aws:s3:::personal-files/1001/x", by: roleSession, with: keys)).isAllowed)
    }
}
