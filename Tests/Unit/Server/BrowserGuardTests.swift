import Testing
import VirgaTesting

@testable import VirgaServer

@Suite("Responses to browsers")
struct BrowserGuardTests {
    private static let seed = """
        {accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "test"}], buckets: [{name: "box", policy: {
           Version: "2012-10-17", Statement: [{Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::box/*"}]},
           objects: [
             {key: "page.html", text: "<script>1</script>", contentType: "text/html"},
             {key: "image.svg", text: "<svg/>", contentType: "image/svg+xml"},
             {key: "paper.pdf", text: "%PDF-1.4", contentType: "application/pdf"},
             {key: "disguise.pdf", text: "<script>1</script>", contentType: "application/pdf, text/html"}]}]}],
         identityProviders: [{name: "company", issuer: "https://login.company.example",
           clients: [{id: "web", secret: "web-secret", redirectURIs: ["http://localhost:8765/callback"]}],
           people: [{name: "alice", subject: "1", password: "p"}]}]}
        """
    private static let login =
        "/idp/company/authorize?response_type=code&client_id=web&scope=openid&redirect_uri=http%3A%2F%2Flocalhost%3A8765%2Fcallback"
    private static let navigation = ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]

    private func get(_ target: String, host: String = "localhost", _ fields: [String]) async throws -> Wire.Answer {
        try await withCloud(seed: Self.seed, bucketDefaults: .legacy) { cloud in
            try await Wire.open(cloud.endpoint) { wire async throws in
                try await wire.write((["GET \(target) HTTP/1.1", "Host: \(host)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
                return try await wire.answer()
            }
        }
    }

    private func policies(_ answer: Wire.Answer) -> [String] {
        answer.fields.filter { $0.name.lowercased() == "content-security-policy" }.map(\.value)
    }

    @Test(
        "sandbox documents of buckets, without their origin",
        arguments: ["/box/page.html", "/box/image.svg", "/box/disguise.pdf", "/box/nothing", "/nobody", "/mobile/custom/nothing"],
        [navigation, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], ["User-Agent: Mozilla/5.0"], ["Origin: null"]])
    func sandbox(target: String, fields: [String]) async throws {
        for host in ["localhost", "127.0.0.1:4566", "virga", "s3.localhost", "dev.example.com"] {
            let answer = try await get(target, host: host, fields)
            #expect(policies(answer) == [BrowserGuard.sandbox], "\(host)")
        }
        #expect(!BrowserGuard.sandbox.contains("allow-same-origin"))
    }

    @Test("do not sandbox for other clients, for PDF documents, and at a bucket's own host")
    func exactness() async throws {
        for fields in [[], ["User-Agent: aws-sdk-java/2.0"], ["Sec-Fetch-Mode: cors"]] {
            #expect(policies(try await get("/box/page.html", fields)).isEmpty)
        }
        #expect(policies(try await get("/box/paper.pdf", Self.navigation)).isEmpty)
        for host in ["box.localhost", "box.s3.localhost", "box.s3.amazonaws.com", "box.virga"] {
            let answer = try await get("/page.html", host: host, Self.navigation)
            #expect(answer.status == 200, "\(host)")
            #expect(policies(answer).isEmpty, "\(host)")
            let control = try await get("/_virga/health", host: host, [])
            #expect(control.body.contains("<Code>NoSuchKey</Code>") || control.body.contains("<Code>AccessDenied</Code>"), "\(host)")
        }
    }

    /// A site can bind its own name to this machine's address. Over plain HTTP its pages then send no Sec-Fetch-Site.
    @Test("refuse our own pages at a host that is not a name of this process")
    func boundNames() async throws {
        for fields in [Self.navigation, ["User-Agent: Mozilla/5.0"], ["Origin: http://dev.example.com"]] {
            let refused = try await get(Self.login, host: "dev.example.com", fields)
            #expect(refused.status == 403)
            #expect(!refused.body.contains("name=\"form\""))
            #expect(refused["Set-Cookie"] == nil)
            #expect(refused.body == "dev.example.com is not a name of this server. Start virga with --alias dev.example.com.\n")
        }
        for host in ["localhost:4566", "127.0.0.1:4566", "[::1]:4566", "virga", "idp.localhost"] {
            #expect(try await get(Self.login, host: host, Self.navigation).status == 200, "\(host)")
        }
        #expect(try await get(Self.login, host: "dev.example.com", []).status == 200)
    }

    @Test("show our own pages to users, and refuse them to scripts and frames")
    func pages() async throws {
        for fields in [Self.navigation, [], ["Sec-Fetch-Mode: cors"], ["User-Agent: Mozilla/5.0"]] {
            let page = try await get(Self.login, fields)
            #expect(page.status == 200)
            #expect(page.body.contains("name=\"username\""))
            #expect(page["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(page["X-Frame-Options"] == "DENY")
            #expect(policies(page).count == 1)
            #expect(policies(page).first?.contains("sandbox") == false)
        }
        for site in ["same-origin", "same-site", "cross-site"] {
            for rest in [
                ["Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"], ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"],
                ["Sec-Fetch-Mode: same-origin"], ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
                ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: object"],
            ] {
                let refused = try await get(Self.login, ["Sec-Fetch-Site: \(site)"] + rest)
                #expect(refused.status == 403)
                #expect(!refused.body.contains("name=\"form\""))
                #expect(refused["Set-Cookie"] == nil)
            }
        }
    }

    @Test("allow the frames of session management, and silent logins in frames")
    func frames() async throws {
        let frame = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]
        let silent = try await get(Self.login + "&prompt=none", frame)
        #expect(silent.status == 302)
        #expect(silent["Location"]?.contains("login_required") == true)
        let metadata = try await get(
            "/idp/company/.well-known/openid-configuration", ["Origin: http://localhost:8765", "Sec-Fetch-Site: cross-site"])
        #expect(metadata.status == 200)
        #expect(metadata["Access-Control-Allow-Origin"] == "*")
        let probe = try await get("/realms/company/protocol/openid-connect/3p-cookies/step1.html", frame)
        #expect(probe.status == 200)
        #expect(policies(probe).allSatisfy { !$0.contains("sandbox") && !$0.contains("frame-ancestors") })
    }

    @Test("refuse service workers at hosts that serve more than a bucket")
    func serviceWorkers() async throws {
        let worker = ["Service-Worker: script", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: serviceworker"]
        #expect(try await get("/box/page.html", worker).status == 403)
        #expect(try await get("/page.html", host: "box.localhost", worker).status == 200)
    }
}
