import Cloud
import Cryptography
import Directory
import Testing
import WireFormats

@testable import AWSIdentityFaces

/// Values computed by another implementation, for the user `alice` with the password `secret1` of the app `mymobileappname` on `localhost`.
@Suite("Test vectors of token vending machines")
struct VendingVectorTests {
    private static let stored = "b88c3d8741730d567640b362ad2c6b66f4d1feb0df0d255ea1bdf7f42e0b096a"
    private static let timestamp = "2013-08-13T04:33:00.000Z"
    private static let key = "00112233445566778899aabbccddeeff"
    private static let vector: [UInt8] = Array(0...15)

    @Test("give the stored hash of a password")
    func hash() {
        #expect(
            VendingSignature.saltedHash(of: "secret1", name: "alice", app: "mymobileappname", endpoint: "localhost") == Self.stored)
        let user = VendingUser(name: "alice", id: "1", secret: .password("secret1"))
        let hashes = user.hashes(app: "mymobileappname", endpoints: ["localhost", "localhost:4566", "localhost:4566/tvm/identity"])
        #expect(hashes.first == Self.stored)
        #expect(Set(hashes).count == 3)
        #expect(VendingUser(name: "alice", id: "1", secret: .hashes(["x"])).hashes(app: "y", endpoints: ["z"]) == ["x"])
    }

    @Test(
        "give a signature in either spelling",
        arguments: [
            (stored, "360184401d150bbc5a3bd0dff8512aa059f453344fab67dbe2c5764d57b324af"),
            (key, "ccfbbf97f7790cd3e96f97f4fd04c531a05c757625d1f443998d2eb66136b818"),
            (key, "zPu/l/d5DNPpb5f0/QTFMaBcdXYl0fRDmY0utmE2uBg="),
        ])
    func signature(key: String, signature: String) {
        #expect(VendingSignature.isValid(signature, of: Self.timestamp, key: key))
        for wrong in [signature.uppercased(), String(signature.dropLast()), signature + " ", ""] {
            #expect(!VendingSignature.isValid(wrong, of: Self.timestamp, key: key))
        }
        #expect(!VendingSignature.isValid(signature, of: "2013-08-13T04:33:00.001Z", key: key))
        #expect(!VendingSignature.isValid(signature, of: Self.timestamp, key: key + "0"))
    }

    @Test("give the response of a login, byte for byte")
    func login() throws {
        let text = VendedText(key: Self.key)
        #expect(text.text == "{\tkey: \"00112233445566778899aabbccddeeff\"}")
        #expect(
            try text.encrypted(under: String(Self.stored.prefix(32)), vector: { Self.vector })
                == "AAECAwQFBgcICQoLDA0OD7fLe/sz2+3d7jtVIXB2W11LrN2zqJB0Lo77sYIEDIM85vTm0bzDgR9MjGGNMElnAQ==")
    }

    @Test("give credentials, byte for byte")
    func credentials() throws {
        let text = VendedText(
            accessKey: "ASIAEXAMPLE", secretKey: "s3cr3t", securityToken: "tok", expires: Timestamp(milliseconds: 1_376_454_780_000))
        #expect(
            text.text
                == "{\taccessKey: \"ASIAEXAMPLE\",\tsecretKey: \"s3cr3t\",\tsecurityToken: \"tok\",\texpirationDate: \"1376454780000\"}")
        #expect(
            try text.encrypted(under: Self.key, vector: { Self.vector })
                == "AAECAwQFBgcICQoLDA0OD2IJxDsg6c2fvxFGplJsKIKYediDAxpsDF/DeXUkoBlUhSbFhsu8+D+55HcqJiI44DBLdaAk6tTzye8reXOcyvk2gm3z9gZgalXoMN7Y6ggrN31LzkNdg8+OJVnHMJjdJ9p7nwLLTfK0ppRtIyjcO9k="
        )
    }

    @Test("differ at each encryption, and can be decrypted")
    func vectors() throws {
        let text = VendedText(key: Self.key)
        let answers = try (0..<4).map { _ in try text.encrypted(under: Self.key) }
        #expect(Set(answers).count == 4)
        let cipher = try BlockEncryption(.cbc, key: #require([UInt8](hex: Self.key)))
        for answer in answers {
            #expect(try cipher.decrypt(#require([UInt8](base64: answer))) == Array(text.text.utf8))
        }
    }

    @Test("need a key of 32 hexadecimal digits", arguments: ["", "00", String(repeating: "x", count: 32), key + "0011223344556677"])
    func keys(key: String) {
        #expect(throws: CryptographyError.invalidKey) { try VendedText(key: "k").encrypted(under: key) }
    }

    @Test("give the policy for one name")
    func policy() {
        let template = "__USERNAME__ __REGION__ __ACCOUNT_ID__ __USERS_DOMAIN__ __DEVICE_DOMAIN__ ___USERNAME___ __OTHER__"
        let machine = VendingMachine(kind: .identity, account: "000000000000", app: "notes", policy: template)
        #expect(
            machine.policy(for: "alice")
                == "alice us-east-1 000000000000 TokenVendingMachine_notes_USERS TokenVendingMachine_notes_DEVICES _alice_ __OTHER__")
        #expect(machine.policy(for: "__REGION__").hasPrefix("__REGION__ us-east-1"))
        for kind in VendingMachines.Kind.allCases {
            let usual = VendingMachine(kind: kind, account: "000000000000").policy(for: "alice")
            let deny = (try? JSONValue(parsing: usual))?["Statement"]?.arrayValue?[1]["Resource"]?.arrayValue
            #expect(deny?.count == (kind == .identity ? 2 : 1))
            #expect(!usual.contains("__"))
        }
    }
}
