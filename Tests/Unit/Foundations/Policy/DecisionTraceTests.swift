import Policy
import Testing
import WireFormats

@Suite("The trace of a decision")
struct DecisionTraceTests {
    @Test(
        "names the first element that does not match, with both values",
        arguments: [
            (["Action": ["s3:Put*", "s3:List*"]], "Action", ["s3:Put*", "s3:List*"], ["s3:GetObject"]),
            (["NotAction": "s3:GET*"], "NotAction", ["s3:GET*"], ["s3:GetObject"]),
            (
                ["Resource": "arn:aws:s3:::b/${aws:username}/*"], "Resource", ["arn:aws:s3:::b/${aws:username}/* → arn:aws:s3:::b/alice/*"],
                ["arn:aws:s3:::b/k"]
            ),
            (["Resource": "arn:aws:s3:::b/${x:No}"], "Resource", ["arn:aws:s3:::b/${x:No} → no value for x:No"], ["arn:aws:s3:::b/k"]),
            (["NotResource": "*"], "NotResource", ["*"], ["arn:aws:s3:::b/k"]),
            (["Condition": ["StringEquals": ["aws:username": ["a", "b"]]]], "Condition StringEquals aws:username", ["a", "b"], ["alice"]),
            (["Condition": ["Bool": ["x:no": true]]], "Condition Bool x:no", ["true"], nil),
            (["Condition": ["StringEquals": ["x:many": "a"]]], "Condition StringEquals x:many", ["a"], ["a", "b"]),
        ] as [(JSONObject, String, [String], [String]?)])
    func mismatch(_ elements: JSONObject, _ element: String, _ wanted: [String], _ found: [String]?) throws {
        let set = PolicySet(identity: [AttachedPolicy("files", try policy(elements))])
        let trace = set.trace(for: request(with: ["aws:username": .one("alice"), "x:many": .many(["a", "b"])]))
        #expect(trace.entries.count == 1)
        #expect(trace.entries.first?.mismatch?.element == element)
        #expect(trace.entries.first?.mismatch?.wanted == wanted)
        #expect(trace.entries.first?.mismatch?.found == found)
    }

    @Test("lists every statement of every policy in order, also after a deny")
    func complete() throws {
        let two = try PolicyDocument(
            parsing:
                #"{"Statement":[{"Sid":"No","Effect":"Deny","Action":"*","Resource":"*"},{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#,
            kind: .identity)
        let bucket = try policy(["Principal": ["AWS": "210987654321"]], kind: .resource)
        let set = PolicySet(identity: [AttachedPolicy("two", two)], resource: AttachedPolicy("b", bucket))
        let trace = set.trace(for: request())
        #expect(trace.decision == set.decision(for: request()))
        #expect(
            trace.explanation == [
                "arn:aws:iam::123456789012:user/staff/alice asks for s3:GetObject on arn:aws:s3:::b/k",
                #"identity-based policy "two", statement "No" (Deny): applies"#,
                #"identity-based policy "two", statement 2 (Allow): applies"#,
                #"resource-based policy "b", statement 1 (Allow): does not apply: Principal: policy has ["AWS account 210987654321"], "#
                    + #"request has "arn:aws:iam::123456789012:user/staff/alice""#,
                "denied with an explicit deny in an identity-based policy",
            ])
    }

    @Test("reports that there is no statement at all")
    func empty() {
        #expect(
            PolicySet().trace(for: request()).explanation.dropFirst() == [
                "no policy has a statement", "denied because no identity-based policy allows the s3:GetObject action",
            ])
    }
}
