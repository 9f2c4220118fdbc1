import GatewayFace
import ServiceModels
import Testing
import WireFormats

@Suite("The key of a ciphertext")
struct CiphertextTests {
    private static let uuid = "1234abcd-12ab-34cd-56ef-1234567890ab"
    private static let scope = CallScope(region: "eu-west-1", account: GatewayOfATest.account)

    private func blob(_ text: String) -> String { Array((text + String(repeating: "x", count: 40)).utf8).base64 }

    @Test("G40: ciphertexts of emulators begin with the identifier of the key")
    func identifiers() {
        #expect(Ciphertext.key(in: blob(Self.uuid)) == Self.uuid)
        let multiRegion = "mrk-1234abcd12ab34cd56ef1234567890ab"
        #expect(Ciphertext.key(in: blob(multiRegion)) == multiRegion)
        #expect(Ciphertext.key(in: Array(Self.uuid.utf8).base64) == nil)
        #expect(Ciphertext.key(in: blob("1234abcd-12ab-34cd-56ef-1234567890a/")) == nil)
        #expect(Ciphertext.key(in: blob("")) == nil)
        #expect(Ciphertext.key(in: "no base 64!") == nil)
    }

    @Test("G40: the key of the ciphertext decides a call that names none, and a call without a key is refused")
    func permissions() throws {
        let key = ResourceName.known(GatewayOfATest.arn("kms:@:key/\(Self.uuid)"))
        func named(_ permissions: [RequiredPermission], _ document: JSONValue) throws -> [RequiredPermission] {
            try Ciphertext.naming(permissions, CallInput(document: document), in: Self.scope)
        }
        let ciphertext: JSONValue = ["CiphertextBlob": .string(blob(Self.uuid))]
        let open = RequiredPermission("kms:Decrypt", on: .known("*"))
        #expect(try named([open], ciphertext) == [RequiredPermission("kms:Decrypt", on: key)])
        let other = RequiredPermission("kms:ReEncryptTo", on: .known(GatewayOfATest.arn("kms:@:key/k2")))
        #expect(
            try named([RequiredPermission("kms:ReEncryptFrom", on: .known("*")), other], ciphertext)
                == [RequiredPermission("kms:ReEncryptFrom", on: key), other])
        let closed = RequiredPermission("kms:Decrypt", on: other.resource)
        #expect(try named([closed], ["CiphertextBlob": "YQ=="]) == [closed])
        #expect(throws: UndecidableCall.unknownCiphertext) { try named([open], ["CiphertextBlob": "YQ=="]) }
        let list = RequiredPermission("kms:ListKeys", on: .known("*"))
        #expect(try named([list], [:]) == [list])
    }
}
