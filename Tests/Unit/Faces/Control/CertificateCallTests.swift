import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Certificates for IAM Roles Anywhere in the control API")
struct CertificateCallTests {
    private static let seed = """
        {accounts: [{
           id: "111122223333",
           roles: [{name: "app", trustPolicy: {Version: "2012-10-17", Statement: [
             {Effect: "Allow", Principal: {Service: "rolesanywhere.amazonaws.com"}, Action: "sts:AssumeRole"}]}}],
           trustAnchors: [{id: "00000000-0000-0000-0000-00000000000a", name: "corp"}],
           anywhereProfiles: [{id: "00000000-0000-0000-0000-00000000000b", name: "all", roles: ["app"]}]}]}
        """

    private func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await withCloud(Self.seed) { cloud async throws in try await test(ControlSandbox(cloud: cloud)) }
    }

    @Test("are issued with a new key, and revoked by their serial number (K25)", arguments: ["EC", "RSA"])
    func issue(key: String) async throws {
        try await run { control async throws in
            let order = #"{"subject":{"CN":"batch"},"dnsNames":["a.example"],"key":"\#(key)","lifetime":60}"#
            let answer = try await control.send(.post, "/certificates", order)
            #expect(answer.status == 200)
            #expect(answer.json["trustAnchor"] == "corp")
            #expect(answer.json["expires_in"] == 60)
            let pem = try #require(answer.json["certificate"]?.stringValue)
            let certificate = try #require(try ClientCertificate.all(inPEM: pem).first)
            #expect(certificate.first(.subject, "CN") == "batch")
            #expect((certificate.certificate.rsaKey != nil) == (key == "RSA"))
            let serial = try #require(answer.json["serial"]?.stringValue)
            #expect(certificate.serialNumber == serial)
            let revoked = try await control.send(.post, "/certificates/revoke", #"{"serial":"0\#(serial.uppercased())"}"#)
            #expect(revoked.json["revoked"] == [.string(serial)])
            let anchor = try #require(control.cloud.directory.credentialSources.trustAnchors.first)
            #expect(Cloud.isRevoked(certificate, chain: [], by: anchor))
        }
    }

    @Test("are offered to clients with the ARNs that they need (K39)")
    func offer() async throws {
        try await run { control async throws in
            let answer = try await control.send(.post, "/credentials", #"{"kind":"rolesanywhere"}"#)
            #expect(answer.json["name"] == "all/app")
            #expect(answer.json["role"] == "arn:aws:iam::111122223333:role/app")
            #expect(answer.json["region"] == "us-east-1")
            let pem = try #require(answer.json["certificate"]?.stringValue)
            #expect(try ClientCertificate.all(inPEM: pem).first?.first(.subject, "CN") == "all")
        }
    }

    @Test(
        "are refused by name",
        arguments: [
            ("", #"{}"#, "malformed_member"), ("", #"{"subject":{"CN":1}}"#, "malformed_member"),
            ("", #"{"subject":{"CN":"a"},"x":1}"#, "unknown_member"), ("", #"{"subject":{"nothing":"a"}}"#, "malformed_member"),
            ("", #"{"subject":{"CN":"a"},"dnsNames":["a b"]}"#, "malformed_member"),
            ("", #"{"subject":{"CN":"a"},"lifetime":0}"#, "malformed_member"),
            ("", #"{"subject":{"CN":"a"},"key":"DSA"}"#, "malformed_member"),
            ("", #"{"subject":{"CN":"a"},"trustAnchor":"x"}"#, "unknown_trust_anchor"),
            ("/revoke", #"{"serial":"x"}"#, "malformed_member"), ("/revoke", #"{"serial":"1","trustAnchor":"x"}"#, "unknown_trust_anchor"),
        ])
    func refusals(path: String, body: String, error: String) async throws {
        try await run { control async throws in
            #expect(try await control.send(.post, "/certificates\(path)", body).error == error)
        }
    }
}
