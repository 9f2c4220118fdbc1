import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("The AWS Query protocol")
struct QueryProtocolTests {
    @Test(
        "refuses unknown operations",
        arguments: [
            ("", "MissingAction", 400), ("Action=", "MissingAction", 400), ("Action=Nonsense&Version=2011-06-15", "InvalidAction", 400),
            ("Action=GetCallerIdentity", "InvalidAction", 400), ("Action=GetCallerIdentity&Version=2010-05-08", "InvalidAction", 400),
            ("Action=getcalleridentity&Version=2011-06-15", "InvalidAction", 400),
            ("Action=AssumeRoleWithSAML&Version=2011-06-15", "ValidationError", 400),
            ("Action=AssumeRoot&Version=2011-06-15", "MissingAuthenticationToken", 403),
            ("Action=%GG", "MalformedQueryString", 404), ("Action=%FF", "MalformedQueryString", 404),
        ])
    func operations(form: String, code: String, status: Int) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.send(.post, "/", form: form)
            #expect(answer.status == status)
            #expect(answer.code == code)
            #expect(answer.xml.name == "ErrorResponse")
            #expect(answer.xml.namespace == "https://sts.amazonaws.com/doc/2011-06-15/")
            #expect(answer.xml.children.map(\.name) == ["Error", "RequestId"])
            #expect(answer.xml.child("Error")?.children.map(\.name) == ["Type", "Code", "Message"])
            #expect(answer.journal.errorCode == code)
        }
    }

    @Test("names the operation and version that it did not find")
    func invalidAction() async throws {
        try await STSSandbox.run { sts async throws in
            #expect(
                try await sts.send(.post, "/", form: "Action=Foo&Version=1").message == "Could not find operation Foo for version 1")
            #expect(
                try await sts.send(.post, "/", form: "Action=Foo").message
                    == "Could not find operation Foo for version NO_VERSION_SPECIFIED")
        }
    }

    @Test("accepts only GET and POST", arguments: [HTTPRequest.Method.put, .delete, .patch])
    func methods(method: HTTPRequest.Method) async throws {
        try await STSSandbox.run { sts async throws in
            #expect(try await sts.send(method, "/?Action=GetCallerIdentity&Version=2011-06-15").code == "InvalidAction")
        }
    }

    @Test("limits the size of a body")
    func size() async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.send(.post, "/", form: "Action=" + String(repeating: "x", count: 300_000))
            #expect(answer.status == 413)
            #expect(answer.code == "RequestEntityTooLarge")
        }
    }

    @Test(
        "answers for a service that Virga does not serve in the protocol of the request",
        arguments: [
            ("sqs", ["content-type": "application/x-www-form-urlencoded"], 400, "<Code>InvalidAction</Code>"),
            ("ec2", ["content-type": "application/x-www-form-urlencoded"], 400, "<Response><Errors><Error><Code>InvalidAction</Code>"),
            ("cloudfront", [:], 400, "<Code>InvalidAction</Code>"),
            ("lambda", [:], 404, #"{"message":"Virga does not serve lambda. Of AWS,"#),
            ("dynamodb", ["x-amz-target": "DynamoDB_20120810.ListTables"], 400, #""__type":"UnknownOperationException""#),
            ("sqs", ["content-type": "application/x-amz-json-1.0"], 400, #""__type":"UnknownOperationException""#),
            ("monitoring", ["smithy-protocol": "rpc-v2-cbor"], 404, "UnknownOperationException"),
        ] as [(String, [String: String], Int, String)])
    func unavailable(service: String, fields: [String: String], status: Int, body: String) async throws {
        try await STSSandbox.run { sts async throws in
            var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            for (name, value) in fields { head.headerFields[try #require(HTTPField.Name(name))] = value }
            let call = Call(
                request: Request(head: head, body: RequestBody(buffer: .init())), peer: nil, isSecure: false, cloud: sts.cloud,
                names: HostNames())
            let response = UnavailableService(name: service).respond(to: call)
            let entry = call.entry(status: Int(response.status.code))
            let answer = try await FaceAnswer(response, entry)
            #expect(answer.status == status)
            #expect(entry.face == service)
            #expect(entry.reason == "Virga does not serve \(service). Of AWS, it serves \(UnavailableService.served).")
            #expect(answer.text.contains(body))
        }
    }

    @Test("says what the seed lacks for the services of IAM Identity Center (K37)", arguments: ["awsssoportal", "sso-oauth"])
    func identityCenter(service: String) async throws {
        try await STSSandbox.run { sts async throws in
            let call = Call(.get, "/federation/credentials", cloud: sts.cloud)
            let answer = try await FaceAnswer(UnavailableService(name: service).respond(to: call), call.entry(status: 404))
            #expect(answer.text.contains("Virga does not serve \(service) without identityCenter in the seed."))
        }
    }

    /// Returns the error for a list with these keys, or nil if the list can be read.
    private func fault(_ keys: [String], most: Int = 100) -> ServiceError? {
        var fields: FormFields = [:]
        fields.fields = keys.map { FormFields.Field(name: "Names.member.\($0)", value: "x") }
        var parameters = QueryParameters(fields)
        _ = parameters.list("Names", most: most, length: 1...10)
        do throws(ServiceError) {
            try parameters.check()
            return nil
        } catch {
            return error
        }
    }

    /// Recorded from IAM's GetContextKeysForCustomPolicy in public, 12 September 2026.
    @Test(
        "reads lists by the indices of their members",
        arguments: [
            (["1"], nil), (["01"], nil), (["1", "02", "3"], nil), (["+1"], "Start of list found where not expected"),
            (["one"], "Start of list found where not expected"), ([""], "Start of list found where not expected"),
            (["0"], "0 is not a valid index"), (["-1"], "Key -1 may not have a leading '-'"),
            (["12"], "Excessively sparse input would skip 11 list elements"),
            (["33"], "Excessively sparse input would skip 32 list elements"),
            (["1", "12"], "Excessively sparse input would skip 11 list elements"),
            (["22", "1"], "Excessively sparse input would skip 21 list elements"),
            (["1", "22", "43"], "Excessively sparse input would skip 21 list elements"),
            (["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "21"], "Excessively sparse input would skip 11 list elements"),
        ] as [([String], String?)])
    func lists(keys: [String], message: String?) {
        let fault = fault(keys)
        #expect(fault?.message == message)
        #expect(fault?.code == (message == nil ? nil : "MalformedInput"))
    }

    @Test("reports members that a list omits", arguments: [["11"], ["1", "8", "15"]])
    func sparseLists(keys: [String]) {
        let fault = fault(keys)
        #expect(fault?.code == "ValidationError")
        #expect(
            fault?.message.hasSuffix(
                "at 'names' failed to satisfy constraint: Member must satisfy constraint: [Member must have length less than or equal to 10, Member must have length greater than or equal to 1]"
            ) == true)
    }

    @Test("reads structures by the indices of the list, and reports their missing members")
    func structures() async throws {
        try await STSSandbox.run(seed: STSSandbox.principals) { sts async throws in
            let bob = STSSandbox.signature("bob")
            let padded = try await sts.take("taking", as: bob, ["Tags.member.01.Key": "team", "Tags.member.01.Value": "red"])
            #expect(padded.status == 200)
            let sparse = try await sts.take("taking", as: bob, ["Tags.member.2.Key": "team", "Tags.member.2.Value": "red"])
            #expect(sparse.code == "ValidationError")
            #expect(
                sparse.message
                    == "2 validation errors detected: Value null at 'tags.1.member.key' failed to satisfy constraint: Member must not be null; Value null at 'tags.1.member.value' failed to satisfy constraint: Member must not be null"
            )
            let word = try await sts.take("taking", as: bob, ["Tags.member.x.Key": "team", "Tags.member.x.Value": "red"])
            #expect(word.status == 400)
            #expect(word.code == "MalformedInput")
        }
    }

    /// Recorded from STS's GetSessionToken in public, 12 September 2026.
    @Test(
        "reads integers with a plus sign and leading zeros",
        arguments: [
            ("900", nil), ("0900", nil), ("+900", nil), (" 900 ", "MalformedInput"), ("900.0", "MalformedInput"), ("9e2", "MalformedInput"),
            ("2147483648", "MalformedInput"), ("++900", "MalformedInput"), ("+-900", "MalformedInput"), ("+", "MalformedInput"),
            ("0", "ValidationError"), ("-900", "ValidationError"),
        ] as [(String, String?)])
    func numbers(text: String, code: String?) {
        var parameters = QueryParameters(["DurationSeconds": text])
        var found: String?
        do throws(ServiceError) {
            let value = try parameters.integer("DurationSeconds", range: 900...3600)
            try parameters.check()
            #expect(value == 900)
        } catch {
            found = error.code
        }
        #expect(found == code)
    }
}
