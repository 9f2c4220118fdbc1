import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The page about credentials")
struct CredentialsPageTests {
    @Test("shows each door with its role, and how the last request ended")
    func doors() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /credentials"] = [
                "doors": [
                    [
                        "kind": "imds", "name": "i-1", "path": "/latest/meta-data", "trusted": "ec2.amazonaws.com",
                        "role": "arn:aws:iam::000000000000:role/app",
                    ],
                    ["kind": "actions", "name": "company/build", "path": nil, "trusted": "login.company.example", "role": nil],
                ]
            ]
            console.answers["GET /journal"] = [
                "entries": [
                    [
                        "number": 4, "face": "imds", "operation": "GetCredentials", "status": 403, "refused": true,
                        "reason": "The role does not trust EC2.",
                    ]
                ]
            ]
            let text = try await console.send(.get, "/credentials").text
            #expect(text.contains("role/<wbr>app</bdi>"))
            #expect(text.contains("<a href=\"/_virga/ui/journal/4\"><bdi>imds GetCredentials</bdi></a>"))
            #expect(text.contains("<p class=\"reason\"><bdi>The role does not trust EC2.</bdi></p>"))
            #expect(text.contains("The environment of the job has the token."))
            #expect(text.contains("trusts <bdi>login.company.example</bdi>"))
            #expect(text.contains("no request yet"))
        }
    }
}
