import Cloud
import Exchange
import Federation
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import AWSFaces

@Suite("The query protocol")
struct QueryProtocolTests {
    @Test(
        "refuses what is no operation of the service",
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
            #expect(answer.status == status && answer.code == code)
            #expect(answer.xml.name == "ErrorResponse" && answer.xml.namespace == "https://sts.amazonaws.com/doc/2011-06-15/")
            #expect(answer.xml.children.map(\.name) == ["Error", "RequestId"])
            #expect(answer.xml.child("Error")?.children.map(\.name) == ["Type", "Code", "Message"])
            #expect(answer.journal.errorCode == code)
        }
    }

    @Test("names operation and version that it could not find")
    func invalidAction() async throws {
        try await STSSandbox.run { sts async throws in
            #expect(
                try await sts.send(.post, "/", form: "Action=Foo&Version=1").message == "Could not find operation Foo for version 1")
            #expect(
                try await sts.send(.post, "/", form: "Action=Foo").message
                    == "Could not find operation Foo for version NO_VERSION_SPECIFIED")
        }
    }

    @Test("takes GET and POST", arguments: [HTTPRequest.Method.put, .delete, .options, .patch])
    func methods(method: HTTPRequest.Method) async throws {
        try await STSSandbox.run { sts async throws in
            #expect(try await sts.send(method, "/?Action=GetCallerIdentity&Version=2011-06-15").code == "InvalidAction")
        }
    }

    @Test("does not read bodies without end")
    func size() async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.send(.post, "/", form: "Action=" + String(repeating: "x", count: 300_000))
            #expect(answer.status == 413 && answer.code == "RequestEntityTooLarge")
        }
    }

    @Test("answers for a service that is not here in that service's form")
    func unavailable() async throws {
        try await STSSandbox.run { sts async throws in
            let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            let exchange = Exchange(
                request: Request(head: head, body: RequestBody(buffer: .init())), peer: nil, isSecure: false, cloud: sts.cloud,
                names: HostNames())
            let response = UnavailableService(name: "iam").respond(to: exchange)
            let answer = try await STSAnswer(response, exchange.entry(status: Int(response.status.code)))
            #expect(answer.status == 400 && answer.code == "InvalidAction" && answer.journal.face == "iam")
        }
    }
}
