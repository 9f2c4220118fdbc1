import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Seeds")
struct SeedTests {
    @Test("that are invalid have an error with file, place and expected value", arguments: WrongSeed.all)
    func wrong(_ example: WrongSeed) throws {
        let error = try #require(throws: SeedError.self) { try decodeSeed(example.text) }
        #expect(error.file == "test.json5")
        #expect(error.place == example.place)
        #expect(error.expected.contains(example.expected), "\(error)")
        #expect(error.description.hasPrefix("seed test.json5"))
    }

    @Test(
        "that are not JSON5 have an error with the position",
        arguments: [
            ("{accounts: [}", "line 1, column 13", "a value"), ("{\n\n  accounts: @ }", "line 3, column 13", "a value"),
            ("{accounts: []", "line 1, column 14", "a comma or }"),
            ("{accounts: [] identityProviders: []}", "line 1, column 15", "a comma or }"),
            ("", "line 1, column 1", "a value"), ("{} x", "line 1, column 4", "the end of the document"),
            ("{accounts []}", "line 1, column 11", "a colon after the name"), ("{'accounts: []}", "line 1, column 2", "a string that ends"),
            ("{/* \u{e9} */ accounts: yes}", "line 1, column 20", "a value"), ("{ /* ", "line 1, column 3", "a comment that ends"),
            ("{1: 2}", "line 1, column 2", "a name or }"), ("{accounts: [[}", "line 1, column 14", "a value"),
            ("\"\\", "line 1, column 1", "a string"),
            ("{accounts: [],\n accounts: []}", "line 2, column 2", "not 'accounts' again"),
            ("{accounts: [{\"id\": '1', id: '2'}]}", "line 1, column 25", "not 'id' again"),
            ("{\"accounts\": [],\r'\\u0061\\x63counts': []}", "line 2, column 1", "not 'accounts' again"),
            ("{accounts: [], \\u0061ccounts: []}", "line 1, column 16", "not 'accounts' again"),
            ("{accounts: '\\u12'}", "line 1, column 13", "four hexadecimal digits"),
            ("{accounts: '\\1'}", "line 1, column 13", "no digit after a backslash"),
            ("\u{FEFF}{accounts: @}", "line 1, column 12", "a value"),
        ])
    func syntax(text: String, place: String, expected: String) throws {
        let error = try #require(throws: SeedError.self) { try decodeSeed(text) }
        #expect(error.place == place, "\(error)")
        #expect(error.expected.contains(expected), "\(error)")
    }

    @Test(
        "are parsed in every spelling of JSON5",
        arguments: [
            "{accounts: [], }", "{'accounts': [\n]}", "\u{20}// a\n/* b */{\"accounts\":[]}//",
            "{identityProviders: [{name: 'google', tokenLifetime: +0x10,}]}", "\u{FEFF}{\u{A0}accounts:\u{3000}[\u{2003}]\u{2028}}",
            "// a\r{accounts: []}", "// a\u{2029}{\\u0061ccounts: []}", "{\u{B}\u{C}accounts: []}",
            "{identityProviders: [{name: '\\goo\\\r\ngle'}, {name: \"face\\\nbook\"}]}",
        ])
    func spellings(text: String) throws { _ = try decodeSeed(text) }

    @Test("that are not UTF-8 have an error with the position")
    func encoding() throws {
        let error = try #require(throws: SeedError.self) { try SeedFile(name: "t", text: Array("{\n é".utf8) + [0xFF, 0x3A]).decode() }
        #expect(error.place == "line 2, column 3")
        #expect(error.expected == "text in UTF-8")
    }

    @Test("may contain control characters and every escape of JSON5 in strings")
    func escapes() throws {
        let seed = try decodeSeed("{accounts: [{id: '000000000000', name: 'a\tb\u{1B}\\v\\x41\\q\\'\\u00e9\\\u{2028}c'}]}")
        #expect(seed.accounts.first?.account.name == "a\tb\u{1B}\u{B}Aq'\u{E9}c")
    }

    @Test("may contain U+0000 if they are JSON, as exports are")
    func zero() throws {
        let seed = try decodeSeed(#"{"accounts": [{"id": "000000000000", "name": "a\u0000b\\u0000"}]}"#)
        #expect(seed.accounts.first?.account.name == "a\u{0}b\\u0000")
    }

    @Test("for Ceph may have accounts without an id, which policies name without one")
    func noAccount() throws {
        func seed(_ account: String) -> SeedFile {
            let trust = "{Statement: [{Effect: 'Allow', Principal: {AWS: 'arn:aws:iam:::user/ann'}, Action: 'sts:AssumeRole'}]}"
            let text = "{accounts: [{id: '\(account)', users: [{name: 'ann'}], roles: [{name: 'r', trustPolicy: \(trust)}]}]}"
            return SeedFile(name: "ceph.json5", text: Array(text.utf8))
        }
        _ = try seed("").decode(.ceph)
        let error = try #require(throws: SeedError.self) { try seed("000000000000").decode() }
        #expect(error.place == "accounts[0].roles[0].trustPolicy")
        #expect(error.expected.contains("Invalid principal in policy"))
    }

    @Test("that cannot be read have an error")
    func unreadable() {
        #expect(throws: SeedError.self) { try SeedFile(path: "/nowhere/at/all.json5") }
    }

    @Test("may be empty, and contain comments and trailing commas")
    func empty() async throws {
        try await withSandbox("// nothing\n{accounts: [], /* none */ identityProviders: [],}") { cloud async throws in
            #expect(cloud.directory.accounts.isEmpty)
            #expect(cloud.objects.allBuckets.isEmpty)
        }
    }

    @Test("set whether S3 compares regions; the last one with the setting applies")
    func regions() async throws {
        let cases: [([String], RegionRule?)] = [(["{}"], nil), (["{regions: 'strict'}", "{regions: 'any'}", "{}"], .any)]
        for (texts, rule) in cases {
            let seeds = try texts.map { try SeedFile(name: "test", text: Array($0.utf8)).decode() }
            let cloud = try await Cloud.open(folder: nil, seeds: seeds)
            #expect(cloud.regionRule == rule)
            await cloud.close()
        }
        let error = try #require(throws: SeedError.self) { try decodeSeed("{regions: 'some'}") }
        #expect(error.place == "regions")
        #expect(error.expected.contains("any or strict"))
    }

    @Test("have defaults")
    func defaults() async throws {
        try await withSandbox(
            """
            {accounts: [{id: "000000000000", roles: [{name: "r", trustPolicy: \(WrongSeed.trust)}], buckets: [{name: "box"}]}],
             identityProviders: [{name: "facebook"}, {name: "google"}, {name: "x", issuer: "https://x"}]}
            """
        ) { cloud async throws in
            #expect(cloud.directory.accounts["000000000000"]?.name == "000000000000")
            #expect(cloud.directory.role("r", in: "000000000000")?.role.maximumSessionDuration == 3600)
            #expect(cloud.objects.bucket(named: "box")?.region == "us-east-1")
            #expect(cloud.directory.providers["facebook"]?.kind == .facebook)
            #expect(cloud.directory.providers["facebook"]?.tokenLifetime == 5400)
            #expect(cloud.directory.providers["google"]?.issuer == "https://accounts.google.com")
            #expect(cloud.directory.providers["x"]?.kind == .openIDConnect)
        }
    }

    private static let whole = """
        {accounts: [{id: "000000000000", rootKeys: [{id: "root", secret: "s"}],
          policies: [{name: "files", path: "/team/", description: "d", tags: {team: "red"},
                      document: {Version: "2012-10-17", Statement: {Effect: "Allow", Action: "s3:*", Resource: "*"}}}],
          groups: [{name: "Readers", attachedPolicies: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}],
          users: [{name: "ann", groups: ["readers"], tags: {a: "1"}, boundary: "arn:aws:iam::000000000000:policy/team/files",
                   accessKeys: [{id: "key", secret: "s"}]}],
          roles: [{name: "app", description: "d", attachedPolicies: ["arn:aws:iam::000000000000:policy/team/files"], tags: {b: "2"},
                   trustPolicy: {Statement: {Effect: "Allow", Action: "sts:AssumeRole",
                                             Principal: {AWS: ["arn:aws:iam::000000000000:user/ann", "arn:aws:iam::000000000000:user/later"]}}}}],
          instanceProfiles: [{name: "machines", role: "APP"}],
          devices: [{name: "phone", seed: "mzxw6ytboi======", user: "ann"}, {name: "safe", seed: "MZXW6", root: true}],
          openIDConnectProviders: [{url: "https://a.example", clientIDs: [], thumbprints: ["0123456789012345678901234567890123456789"]}],
          samlProviders: [{name: "idp", metadata: "<EntityDescriptor/>"}]}]}
        """

    @Test("contain everything that IAM stores, as created at the start, and bind trust to existing principals")
    func everything() async throws {
        let account = "000000000000"
        try await withTemporaryFolder { folder in
            for text in [Self.whole, "{}"] {
                try await withSandbox(text, folder: folder) { cloud async throws in
                    let directory = cloud.directory
                    let user = try #require(directory.user("ann", in: account))
                    #expect(user.user.groups == ["Readers"])
                    #expect(user.policies.identity.count == 1)
                    #expect(user.policies.boundary != nil)
                    #expect(user.user.tags.map(\.key) == ["a"])
                    #expect(user.user.created.seconds > 1_700_000_000)
                    #expect(user.user.accessKeys[0].created == user.user.created)
                    let role = try #require(directory.role("app", in: account))
                    #expect(role.policies.identity.count == 1)
                    #expect(role.role.description == "d")
                    #expect(role.role.trustPolicy.bound == ["arn:aws:iam::000000000000:user/ann": user.user.id])
                    #expect(directory.instanceProfile("machines", in: account)?.role == "app")
                    #expect(directory.devices["arn:aws:iam::000000000000:mfa/phone"]?.seed == Array("foobar".utf8))
                    #expect(directory.devices["arn:aws:iam::000000000000:mfa/phone"]?.user == "ann")
                    #expect(directory.devices["arn:aws:iam::000000000000:mfa/safe"]?.user == "")
                    #expect(directory.trusts["arn:aws:iam::000000000000:oidc-provider/a.example"]?.thumbprints.count == 1)
                    #expect(directory.samlTrusts["arn:aws:iam::000000000000:saml-provider/idp"]?.metadata == "<EntityDescriptor/>")
                    #expect(directory.policies["arn:aws:iam::000000000000:policy/team/files"]?.tags.map(\.value) == ["red"])
                }
            }
        }
    }

    @Test(
        "are refused if they refer to unknown names",
        arguments: [
            ("users: [{name: 'a', groups: ['b']}]", "users[0].groups[0]"),
            ("users: [{name: 'a', attachedPolicies: ['arn:aws:iam::aws:policy/Nothing']}]", "users[0].attachedPolicies[0]"),
            ("users: [{name: 'a', boundary: 'arn:aws:iam::000000000000:policy/b'}]", "users[0].boundary"),
            ("groups: [{name: 'a', attachedPolicies: ['b']}]", "groups[0].attachedPolicies[0]"),
            ("instanceProfiles: [{name: 'a', role: 'b'}]", "instanceProfiles[0].role"),
            ("devices: [{name: 'a', seed: 'AA', user: 'b'}]", "devices[0].user"),
        ])
    func references(members: String, place: String) async throws {
        let seed = try decodeSeed("{accounts: [{id: '000000000000', \(members)}]}")
        let error = try await #require(throws: SeedError.self) { _ = try await Cloud.open(folder: nil, seeds: [seed]) }
        #expect(error.place == "accounts[0].\(place)")
        #expect(error.file == "test.json5")
    }

    @Test("set the canonical user ID of an account, which has 64 digits by default")
    func canonicalUsers() async throws {
        let seed = try decodeSeed(#"{accounts: [{id: "000000000000", canonicalUserID: "owner1"}, {id: "111111111111"}]}"#)
        let cloud = try await Cloud.open(folder: nil, seeds: [seed])
        let directory = cloud.directory
        #expect(directory.canonicalUserID(of: "000000000000") == "owner1")
        #expect(directory.account(ofCanonicalUser: "owner1")?.id == "000000000000")
        #expect(directory.account(ofCanonicalUser: Account.canonicalUserID(of: "000000000000")) == nil)
        #expect(directory.canonicalUserID(of: "111111111111").count == 64)
        await cloud.close()
    }

    @Test("are combined: a later one can add to an account of an earlier one")
    func several() async throws {
        let first = try decodeSeed(
            #"{accounts: [{id: "000000000000", name: "one", rootKeys: [{id: "a", secret: "a"}], buckets: [{name: "one"}]}]}"#)
        let second = try decodeSeed(
            #"{accounts: [{id: "000000000000", rootKeys: [{id: "b", secret: "b"}], users: [{name: "u"}], buckets: [{name: "two"}]}]}"#)
        try await withTemporaryFolder { folder in
            for _ in 0..<2 {
                let cloud = try await Cloud.open(folder: folder, seeds: [first, second])
                let account = cloud.directory.accounts["000000000000"]
                #expect(account?.name == "one")
                #expect(account?.rootKeys.map(\.id) == ["a", "b"])
                #expect(cloud.directory.keys.keys.sorted() == ["a", "b"])
                #expect(cloud.directory.user("u", in: "000000000000") != nil)
                #expect(cloud.objects.allBuckets.map(\.name) == ["one", "two"])
                await cloud.close()
            }
        }
    }

    @Test("that contradict each other are refused with the name of the later one")
    func contradiction() async throws {
        let first = try decodeSeed(#"{accounts: [{id: "000000000000", buckets: [{name: "box"}]}]}"#, name: "first")
        let second = try decodeSeed(#"{accounts: [{id: "111111111111", buckets: [{name: "box"}]}]}"#, name: "second")
        let error = try await #require(throws: SeedError.self) {
            _ = try await Cloud.open(folder: nil, seeds: [first, second])
        }
        #expect(error.file == "second")
        #expect(error.place == "accounts[0].buckets[0].name")
    }
}
