import Policy
import Testing
import WireFormats

@testable import Federation

/// The percentages that AWS returned in public records, whose sources are in the documentation of ``PackedSize``.
@Suite("The packed size")
struct PackedSizeTests {
    private static func podIdentity(_ namespace: String, _ account: String, _ pod: String, _ uid: String) -> [(String, String)] {
        [
            ("eks-cluster-arn", "arn:aws:eks:us-west-2:823571991546:cluster/eksworkshop-eksctl"),
            ("eks-cluster-name", "eksworkshop-eksctl"),
            ("kubernetes-namespace", namespace), ("kubernetes-service-account", account), ("kubernetes-pod-name", pod),
            ("kubernetes-pod-uid", uid),
        ]
    }

    @Test(
        "of tags is that of AWS",
        arguments: [
            ([("c", "c"), ("b", "c")], 2), ([("b", "b"), ("c", "b"), ("d", "b")], 3),
            (podIdentity("ns-a", "sa1", "app1", "0cda7f85-c1f9-4dee-b6e9-a0b50c8f3012"), 56),
            (podIdentity("app1", "default", "app1-v1-56b9f94b4-dvd5c", "376f3cff-44fe-4a00-b9d4-970555f311d3"), 61),
            ((1...9).map { ("T\($0)", String(repeating: "a", count: 250)) }, 498),
        ] as [([(String, String)], Int)])
    func tags(_ tags: [(String, String)], _ percent: Int) {
        #expect(PackedSize.percent(tags.reduce(0) { $0 + PackedSize.of(tag: $1.0, values: [$1.1]) }) == percent)
    }

    @Test(
        "of policies is that of AWS",
        arguments: [
            (#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}"#, 0, 4),
            (
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["ec2:DescribeVpcEndpoints"],"Resource":["*"]}]}"#,
                0, 9
            ),
            (
                #"""
                {"Version":"2012-10-17","Statement":[
                  {"Effect":"Allow","Action":"ec2:Describe*","Resource":"*"},
                  {"Effect":"Allow","Action":"elasticloadbalancing:Describe*","Resource":"*"},
                  {"Effect":"Allow","Action":["cloudwatch:ListMetrics","cloudwatch:GetMetricStatistics","cloudwatch:Describe*"],"Resource":"*"},
                  {"Effect":"Allow","Action":"autoscaling:Describe*","Resource":"*"}]}
                """#, 1, 36
            ),
        ])
    func policies(_ text: String, arns: Int, _ percent: Int) throws {
        let entry = try SessionPolicyCache().entry(for: text)
        #expect(PackedSize.percent(PackedSize.ofPolicies + arns * PackedSize.ofARN + entry.packedSize) == percent)
    }

    @Test("counts one statement that is not in a list, and the keys and values of conditions")
    func conditions() throws {
        let text = #"{"Statement":{"Effect":"Deny","Action":"s3:*","Resource":"*","Condition":{"Bool":{"aws:x":"true"}}}}"#
        // The statement, the action, the resource, and three texts of the condition.
        #expect(try SessionPolicyCache().entry(for: text).packedSize == 1 + 5 + 2 + 5 + 6 + 5)
    }
}
