import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import RequestSigning
import WireFormats

/// An application that stores the files of its users in the bucket of the personal file store: the code under test in tests of the test
/// library.
package struct FileStore: Sendable {
    /// A response that is not a success.
    package struct Refusal: Error, Equatable {
        /// The HTTP status code.
        package var status: Int
        /// The error code; empty if the response has none.
        package var code: String

        package init(status: Int, code: String) {
            self.status = status
            self.code = code
        }
    }

    private let endpoint: String
    private let token: String

    /// Creates an application for one user.
    /// - Parameters:
    ///   - endpoint: the URL of the cloud.
    ///   - token: the user's ID token of the company.
    package init(endpoint: String, token: String) {
        self.endpoint = endpoint
        self.token = token
    }

    /// Stores a file in the folder of alice, in the role that trusts the company's tokens.
    /// - Throws: ``Refusal``, or an error of the connection.
    package func upload(_ text: String, as name: String) async throws {
        let session = try await assumeRole()
        let url = "/personal-files/employee-0001-alice/\(name)"
        let request = SignableRequest(method: "PUT", target: url, authority: String(endpoint.dropFirst("http://".count)))
        let target = session.presign(request, expires: .seconds(60), at: .now())
        var upload = HTTPClientRequest(url: endpoint + target)
        upload.method = .PUT
        upload.body = .bytes(ByteBuffer(string: text))
        _ = try await send(upload)
    }

    private func assumeRole() async throws -> SignatureV4.Signer {
        var call = HTTPClientRequest(url: endpoint + "/")
        call.method = .POST
        call.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        let role = "arn:aws:iam::000000000000:role/personal-files-company"
        call.body = .bytes(
            ByteBuffer(
                string:
                    "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=alice&RoleArn=\(role)&WebIdentityToken=\(token)"))
        let answer = try await send(call)
        func text(_ element: String) -> String { Self.text(element, in: answer) }
        return SignatureV4.Signer(
            accessKey: text("AccessKeyId"), secret: text("SecretAccessKey"), sessionToken: text("SessionToken"), region: "us-east-1",
            service: "s3")
    }

    private func send(_ request: HTTPClientRequest) async throws -> String {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        guard response.status.code < 300 else { throw Refusal(status: Int(response.status.code), code: Self.text("Code", in: text)) }
        return text
    }

    private static func text(_ element: String, in document: String) -> String {
        guard let start = document.firstRange(of: "<\(element)>"), let end = document.firstRange(of: "</\(element)>") else { return "" }
        return String(document[start.upperBound..<end.lowerBound])
    }
}
