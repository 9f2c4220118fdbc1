import Cloud
import Cryptography
import Testing
import WireFormats

@Suite("Credentials of IAM users")
struct CredentialTests {
    @Test("an access key signs until it is made inactive, and a user has at most two", arguments: ["bob", nil])
    func accessKeys(user: String?) async throws {
        try await IAMSandbox.run { iam async throws in
            func call(_ action: String, _ more: [(String, String)] = []) async throws -> STSAnswer {
                let all = (user.map { [("UserName", $0)] } ?? []) + more
                switch all.count {
                case 0: return try await iam.call(action)
                case 1: return try await iam.call(action, KeyValuePairs(dictionaryLiteral: all[0]))
                case 2: return try await iam.call(action, KeyValuePairs(dictionaryLiteral: all[0], all[1]))
                default: return try await iam.call(action, KeyValuePairs(dictionaryLiteral: all[0], all[1], all[2]))
                }
            }
            let made = try await call("CreateAccessKey")
            let (id, secret) = (made["AccessKeyId"] ?? "", made["SecretAccessKey"] ?? "")
            #expect(id.count == 20)
            #expect(id.hasPrefix("AKIA"))
            #expect(secret.count == 40)
            #expect(made["UserName"] == user)
            #expect(made["Status"] == "Active")
            #expect(try await call("CreateAccessKey").refusal == "409 LimitExceeded Cannot exceed quota for AccessKeysPerUser: 2")
            #expect(try await iam.call("GetAccountSummary", by: (id, secret)).code != "InvalidClientTokenId")
            let used = try await iam.call("GetAccessKeyLastUsed", ["AccessKeyId": id])
            #expect(used["ServiceName"] == "iam")
            #expect(used["Region"] == "us-east-1")
            #expect(used["LastUsedDate"]?.hasSuffix(":00Z") == true)
            #expect(try await call("UpdateAccessKey", [("AccessKeyId", id), ("Status", "Inactive")]).status == 200)
            #expect(try await iam.call("GetAccountSummary", by: (id, secret)).code == "InvalidClientTokenId")
            #expect(try await Set(call("ListAccessKeys").members("AccessKeyMetadata", "Status")) == ["Active", "Inactive"])
            #expect(try await call("DeleteAccessKey", [("AccessKeyId", id)]).status == 200)
            #expect(
                try await call("DeleteAccessKey", [("AccessKeyId", id)]).refusal
                    == "404 NoSuchEntity The Access Key with id \(id) cannot be found.")
        }
    }

    @Test("the times of keys and the credential report age")
    func agedKeys() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call("CreateAccessKey", ["UserName": "bob"])
            let service = try await iam.call(
                "CreateServiceSpecificCredential",
                ["UserName": "bob", "ServiceName": "bedrock.amazonaws.com", "CredentialAgeDays": "30"])
            func aged(_ time: String?) throws -> String {
                (try #require(time.flatMap { Timestamp(iso8601: $0) }) - .seconds(90 * 86_400)).iso8601
            }
            let uploaded = try aged(
                try await iam.call("UploadSSHPublicKey", ["UserName": "bob", "SSHPublicKeyBody": SSHKey.ssh])["UploadDate"])
            let (created, end) = (try aged(made["CreateDate"]), try aged(service["ExpirationDate"]))
            let (id, secret) = (try #require(made["AccessKeyId"]), try #require(made["SecretAccessKey"]))
            try await iam.call("GetAccountSummary", by: (id, secret))
            let used = try aged(try await iam.call("GetAccessKeyLastUsed", ["AccessKeyId": id])["LastUsedDate"])
            try await iam.cloud.age(by: .seconds(90 * 86_400))
            #expect(try await iam.call("ListAccessKeys", ["UserName": "bob"]).members("AccessKeyMetadata", "CreateDate").contains(created))
            let listed = try await iam.call("ListServiceSpecificCredentials", ["UserName": "bob"])
            #expect(listed["ExpirationDate"] == end)
            #expect(try await iam.call("ListSSHPublicKeys", ["UserName": "bob"])["UploadDate"] == uploaded)
            try await iam.call("GenerateCredentialReport")
            let content = try #require([UInt8](base64: try await iam.call("GetCredentialReport")["Content"] ?? ""))
            let report = String(decoding: content, as: UTF8.self)
            for time in [used, created] { #expect(report.contains("\(time.dropLast())+00:00"), "\(time)") }
        }
    }

    @Test("an unused key has no date of last use, and the keys of another account are not shown")
    func unusedKey() async throws {
        try await IAMSandbox.run { iam async throws in
            let id = try await iam.call("CreateAccessKey", ["UserName": "bob"])["AccessKeyId"] ?? ""
            let unused = try await iam.call("GetAccessKeyLastUsed", ["AccessKeyId": id])
            #expect(unused["ServiceName"] == "N/A")
            #expect(unused["Region"] == "N/A")
            #expect(unused["LastUsedDate"] == nil)
            #expect(try await iam.call("GetAccessKeyLastUsed", ["AccessKeyId": id], by: ("other", "test")).code == "AccessDenied")
        }
    }

    @Test("a password follows the account's policy")
    func passwords() async throws {
        try await IAMSandbox.run { iam async throws in
            func create(_ password: String) async throws -> String {
                try await iam.call("CreateLoginProfile", ["UserName": "bob", "Password": password]).refusal
            }
            #expect(try await create("Ab1!") == "400 PasswordPolicyViolation Password should have a minimum length of 8")
            #expect(try await create("abcdefgh1").hasPrefix("400 PasswordPolicyViolation"))
            try await iam.call(
                "UpdateAccountPasswordPolicy",
                ["MinimumPasswordLength": "6", "RequireUppercaseCharacters": "true", "PasswordReusePrevention": "2"])
            #expect(try await create("abcdef") == "400 PasswordPolicyViolation Password should have at least one uppercase letter")
            #expect(try await create("Abcdef") == "200 - -")
            #expect(try await create("Abcdef") == "409 EntityAlreadyExists Login Profile for user bob already exists.")
            func update(_ password: String) async throws -> String? {
                try await iam.call("UpdateLoginProfile", ["UserName": "bob", "Password": password]).code
            }
            #expect(try await update("Abcdef") == "PasswordPolicyViolation")
            #expect(try await update("Abcdef1") == nil)
            #expect(try await update("Abcdef") == "PasswordPolicyViolation")
            #expect(try await update("Abcdef2") == nil)
            #expect(try await update("Abcdef") == nil)
            #expect(try await iam.call("DeleteLoginProfile", ["UserName": "bob"]).status == 200)
            #expect(
                try await iam.call("GetLoginProfile", ["UserName": "bob"]).refusal
                    == "404 NoSuchEntity Login Profile for User bob cannot be found.")
        }
    }

    @Test("users change their own password with the old one if a policy or the account allows it")
    func changePassword() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateLoginProfile", ["UserName": "bob", "Password": "Abcdefg1"])
            func change(_ old: String, _ new: String) async throws -> String? {
                try await iam.call("ChangePassword", ["OldPassword": old, "NewPassword": new], by: IAMSandbox.bob).refusal
            }
            #expect(try await change("Abcdefg1", "Abcdefg2")?.hasPrefix("403 AccessDenied User:") == true)
            try await iam.call("UpdateAccountPasswordPolicy", ["AllowUsersToChangePassword": "true"])
            #expect(try await change("wrong", "Abcdefg2") == "403 AccessDenied The old password was incorrect.")
            #expect(
                try await change("Abcdefg1", "Abcdefg1")
                    == "400 PasswordPolicyViolation Policy constraint violation with password reuse prevention during password change.")
            #expect(try await change("Abcdefg1", "Abcdefg2") == "200 - -")
            #expect(try await change("Abcdefg2", "Abcdefg3") == "200 - -")
            #expect(try await iam.call("ChangePassword", ["OldPassword": "a", "NewPassword": "b"]).code == "InvalidUserType")
        }
    }

    @Test("a server certificate must be valid, and the first of its chain must have issued it")
    func validityOfServerCertificates() async throws {
        try await IAMSandbox.run { iam async throws in
            let (now, day) = (iam.cloud.clock.now.seconds, Int64(86_400))
            let key = try ECPrivateKey.generate()
            let authority = try CertificateAuthority.make(named: "test", now: now)
            // An authority is valid for ten years, beginning one day before `now`, and a certificate for 397 days.
            let aged = try CertificateAuthority.make(named: "aged", now: now - 3651 * day)
            let namesake = try CertificateAuthority.make(named: "test", now: now)
            func refusal(_ moment: Int64, by issuer: CertificateAuthority? = nil, chain: String? = nil) async throws -> String {
                let issuer = issuer ?? authority
                let body = try issuer.issue(for: key, names: ["localhost"], now: moment)
                return try await iam.call(
                    "UploadServerCertificate",
                    [
                        "ServerCertificateName": "web", "CertificateBody": body, "PrivateKey": key.pem,
                        "CertificateChain": chain ?? issuer.certificate,
                    ]
                ).refusal
            }
            let unreadable = "400 MalformedCertificate Unable to parse certificate. Please ensure the certificate is in PEM format."
            #expect(try await refusal(now + 2 * day) == unreadable)
            #expect(try await refusal(now - 398 * day) == unreadable)
            #expect(try await refusal(now, chain: "nothing") == unreadable)
            func wrongChain(_ index: Int) -> String {
                "400 MalformedCertificate Unable to validate certificate chain. The certificate chain must start with the immediate signing certificate, followed by any intermediaries in order. The index within the chain of the invalid certificate is: \(index)"
            }
            #expect(try await refusal(now, chain: namesake.certificate) == wrongChain(-1))
            #expect(try await refusal(now, by: aged, chain: aged.certificate) == wrongChain(0))
            #expect(try await refusal(now, chain: authority.certificate + aged.certificate) == wrongChain(0))
            #expect(try await refusal(now, chain: authority.certificate + authority.certificate + aged.certificate) == wrongChain(1))
            #expect(try await refusal(now, chain: authority.certificate + authority.certificate) == "200 - -")
        }
    }

    @Test("a server certificate must match its key")
    func serverCertificates() async throws {
        try await IAMSandbox.run { iam async throws in
            let now = iam.cloud.clock.now.seconds
            let authority = try CertificateAuthority.make(named: "test", now: now)
            let (key, other) = (try ECPrivateKey.generate(), try ECPrivateKey.generate())
            let certificate = try authority.issue(for: key, names: ["localhost"], now: now)
            func upload(_ body: String, _ key: String) async throws -> STSAnswer {
                try await iam.call(
                    "UploadServerCertificate",
                    ["ServerCertificateName": "web", "CertificateBody": body, "PrivateKey": key, "CertificateChain": authority.certificate])
            }
            #expect(try await upload(certificate, try other.pem).code == "KeyPairMismatch")
            #expect(try await upload("nothing", try key.pem).code == "MalformedCertificate")
            let made = try await upload(certificate, try key.pem)
            // The certificate is valid for 397 days.
            #expect(made["Expiration"] == Timestamp(seconds: now + 397 * 86_400).iso8601)
            #expect(try await upload(certificate, try key.pem).code == "EntityAlreadyExists")
            let shown = try await iam.call("GetServerCertificate", ["ServerCertificateName": "WEB"])
            #expect(certificate.hasSuffix("\n"))
            #expect(shown["CertificateBody"] == String(certificate.dropLast()))
            #expect(authority.certificate.hasSuffix("\n"))
            #expect(shown["CertificateChain"] == String(authority.certificate.dropLast()))
            #expect(
                try await iam.call("UpdateServerCertificate", ["ServerCertificateName": "web", "NewServerCertificateName": "site"]).status
                    == 200)
            #expect(
                try await iam.call("ListServerCertificates").members("ServerCertificateMetadataList", "ServerCertificateName") == ["site"])
            let tags: KeyValuePairs = [
                "ServerCertificateName": "SITE", "Tags.member.1.Key": "team", "Tags.member.1.Value": "red", "Tags.member.2.Key": "use",
                "Tags.member.2.Value": "web",
            ]
            #expect(try await iam.call("TagServerCertificate", tags).status == 200)
            #expect(
                try await iam.call("UntagServerCertificate", ["ServerCertificateName": "site", "TagKeys.member.1": "use"]).status == 200)
            #expect(try await iam.call("ListServerCertificateTags", ["ServerCertificateName": "site"]).members("Tags", "Value") == ["red"])
            #expect(
                try await iam.call("ListServerCertificateTags", ["ServerCertificateName": "none"]).refusal
                    == "404 NoSuchEntity The Server Certificate with name none cannot be found.")
            #expect(try await iam.call("DeleteServerCertificate", ["ServerCertificateName": "site"]).status == 200)
            #expect(try await iam.call("GetServerCertificate", ["ServerCertificateName": "site"]).code == "NoSuchEntity")
        }
    }

    @Test("a user has at most two signing certificates")
    func signingCertificates() async throws {
        try await IAMSandbox.run { iam async throws in
            for number in 0...2 {
                let certificate = try CertificateAuthority.make(named: "test \(number)", now: 1_790_000_000).certificate
                let answer = try await iam.call("UploadSigningCertificate", ["UserName": "bob", "CertificateBody": certificate])
                #expect(answer.refusal == (number < 2 ? "200 - -" : "409 LimitExceeded Cannot exceed quota for CertificatesPerUser: 2"))
            }
            #expect(
                try await iam.call("UploadSigningCertificate", ["UserName": "bob", "CertificateBody": "x"]).code == "MalformedCertificate")
            let id = try await iam.call("ListSigningCertificates", ["UserName": "bob"])["CertificateId"] ?? ""
            #expect(try await iam.call("DeleteSigningCertificate", ["UserName": "bob", "CertificateId": id]).status == 200)
            #expect(try await iam.call("DeleteSigningCertificate", ["UserName": "bob", "CertificateId": id]).code == "NoSuchEntity")
        }
    }

    @Test("service-specific user names get a number if the plain name is taken")
    func serviceCredentials() async throws {
        try await IAMSandbox.run { iam async throws in
            let parameters: KeyValuePairs = ["UserName": "bob", "ServiceName": "codecommit.amazonaws.com"]
            let first = try await iam.call("CreateServiceSpecificCredential", parameters)
            #expect(first["ServiceUserName"] == "bob-at-000000000000")
            #expect(first["ServicePassword"]?.count == 44)
            #expect(try await iam.call("CreateServiceSpecificCredential", parameters)["ServiceUserName"] == "bob+1-at-000000000000")
            #expect(try await iam.call("CreateServiceSpecificCredential", parameters).code == "LimitExceeded")
            let id = first["ServiceSpecificCredentialId"] ?? ""
            let reset = try await iam.call("ResetServiceSpecificCredential", ["UserName": "bob", "ServiceSpecificCredentialId": id])
            #expect(reset["ServicePassword"] != first["ServicePassword"])
            #expect(reset["ServiceUserName"] == first["ServiceUserName"])
            let list = try await iam.call("ListServiceSpecificCredentials", ["UserName": "bob"])
            #expect(list.members("ServiceSpecificCredentials").count == 2)
            #expect(list["ServicePassword"] == nil)
            #expect(list["IsTruncated"] == nil)
            let page = try await iam.call("ListServiceSpecificCredentials", ["UserName": "bob", "MaxItems": "1"])
            #expect(page.members("ServiceSpecificCredentials").count == 1)
            #expect(page["IsTruncated"] == "true")
            #expect(page["Marker"] != nil)
            #expect(
                try await iam.call("CreateServiceSpecificCredential", ["UserName": "bob", "ServiceName": "s3.amazonaws.com"]).refusal
                    == "404 NoSuchEntity No such service s3.amazonaws.com is supported for Service Specific Credentials")
            #expect(
                try await iam.call("DeleteUser", ["UserName": "bob"]).refusal.hasPrefix("409 DeleteConflict Cannot delete entity, must "))
        }
    }

    // ssh-keygen made the key, its fingerprint and the PKCS #8 text: `ssh-keygen -t rsa -b 2048`, `ssh-keygen -l -E md5`, `ssh-keygen -e -m
    // pkcs8`.
    @Test("an SSH public key is returned in either encoding")
    func publicKeys() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call("UploadSSHPublicKey", ["UserName": "bob", "SSHPublicKeyBody": SSHKey.ssh + " bob@home"])
            #expect(made["Fingerprint"] == SSHKey.fingerprint)
            let id = made["SSHPublicKeyId"] ?? ""
            func get(_ encoding: String) async throws -> String? {
                try await iam.call("GetSSHPublicKey", ["UserName": "bob", "SSHPublicKeyId": id, "Encoding": encoding])["SSHPublicKeyBody"]
            }
            #expect(try await get("SSH") == SSHKey.ssh)
            #expect(try await get("PEM") == SSHKey.pem)
            #expect(
                try await iam.call("UploadSSHPublicKey", ["UserName": "bob", "SSHPublicKeyBody": SSHKey.pem]).code
                    == "DuplicateSSHPublicKey")
            #expect(
                try await iam.call("UploadSSHPublicKey", ["UserName": "bob", "SSHPublicKeyBody": "ssh-rsa AAAA"]).code == "InvalidPublicKey"
            )
            #expect(
                try await iam.call("UploadSSHPublicKey", ["UserName": "bob", "SSHPublicKeyBody": "ssh-ed25519 AAAA"]).code
                    == "UnrecognizedPublicKeyEncoding")
            #expect(try await iam.call("DeleteSSHPublicKey", ["UserName": "bob", "SSHPublicKeyId": id]).status == 200)
            #expect(try await iam.call("ListSSHPublicKeys", ["UserName": "bob"]).members("SSHPublicKeys").isEmpty)
        }
    }
}
