import Policy
import Testing

/// Texts and positions as the simulator of AWS returned them in September 2026, with its lines and columns.
@Suite("Positions of statements in their text")
struct StatementPositionTests {
    @Test(
        "are those of the simulator",
        arguments: [
            (#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}"#, [[1, 38, 1, 95]]),
            (
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*","Sid":"First"},"#
                    + #"{"Effect":"Allow","Action":"s3:GetObject","Resource":"*","Sid":"Second"}]}"#,
                [[1, 38, 1, 109], [1, 109, 1, 182]]
            ),
            (
                "{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n    {\n      \"Effect\": \"Allow\",\n      \"Action\": \"s3:GetObject\",\n"
                    + "      \"Resource\": \"*\",\n      \"Sid\": \"First\"\n    },\n    {\n      \"Effect\": \"Deny\",\n"
                    + "      \"Action\": \"s3:PutObject\",\n      \"Resource\": \"*\",\n      \"Sid\": \"Second\"\n    }\n  ]\n}",
                [[3, 17, 9, 6], [9, 6, 15, 6]]
            ),
            (
                " \r\n{\r\n  \"Version\": \"2012-10-17\",\r\n  \"Statement\": [\r\n    {\r\n      \"Effect\": \"Allow\",\r\n"
                    + "      \"Action\": \"s3:GetObject\",\r\n      \"Resource\": \"*\"\r\n    }\r\n  ]\r\n}\r\n ",
                [[4, 17, 9, 6]]
            ),
            (#"{"Statement": {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}}"#, [[1, 16, 1, 77]]),
        ])
    func captured(_ text: String, _ expected: [[Int]]) {
        let found = StatementPositions.find(in: text).map { [$0.start.line, $0.start.column, $0.end.line, $0.end.column] }
        #expect(found == expected)
    }

    @Test("ignore the content of strings, and count characters")
    func texts() {
        let policy = #"{"Id":"\"Statement\":[{","Version":"2012-10-17","Statement":[{"Sid":"}é]\\","Effect":"Allow"}]}"#
        let found = StatementPositions.find(in: policy).map { [$0.start.column, $0.end.column] }
        #expect(found == [[62, 94]])
    }

    @Test(
        "are empty for invalid documents",
        arguments: ["", "[]", "{", #"{"a":1"#, #"{"Statement":3}"#, #"{"Statement":[}"#, #"{"a""#])
    func broken(_ text: String) {
        #expect(StatementPositions.find(in: text).allSatisfy { $0.start.line == 1 })
    }
}
