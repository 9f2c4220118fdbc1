import ControlDocuments
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The page about who can reach what")
struct ReachPageTests {
    private static let hostile = "</a><script>window.xss=1</script>\"' onfocus=x \u{202E}"
    private static let role = "arn:aws:iam::000000000000:role/files"

    private static func place(_ bucket: String, _ prefix: String) -> JSONValue {
        [
            "bucket": .string(bucket), "prefix": .string(prefix), "vendor": "aws", "key": .string(prefix + "a"), "action": "s3:GetObject",
            "resource": .string("arn:aws:s3:::\(bucket)/\(prefix)a"), "context": [:],
        ]
    }

    private static func caller(_ kind: String, _ name: String, _ id: String, _ cells: [String], ways: [JSONValue] = []) -> JSONValue {
        [
            "kind": .string(kind), "name": .string(name), "id": .string(id), "account": .null, "ways": .array(ways),
            "cells": .array(cells.map { ["reach": .string($0), "through": ways.first?["role"] ?? .null] }),
        ]
    }

    private static func reach(_ places: [JSONValue], _ callers: [JSONValue], total: Int64? = nil) -> JSONValue {
        [
            "access": "read", "total": .integer(total ?? Int64(callers.count)), "from": 0, "places": .array(places), "complete": true,
            "callers": .array(callers),
        ]
    }

    private static let way: JSONValue = [
        "role": .string(role), "client": "app", "trust": "allowed",
        "context": ["accounts.google.com:aud": "app", "accounts.google.com:sub": "110"],
    ]

    @Test("has a row for each caller, whose cells open the simulator with the question")
    func table() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /reach"] = Self.reach(
                [Self.place("box", "110/"), Self.place("box", "220/")],
                [
                    Self.caller("person", "alice", "google", ["allowed", "denied"], ways: [Self.way]),
                    Self.caller("user", "bob", "arn:aws:iam::000000000000:user/bob", ["conditional", "conditional"]),
                    Self.caller("person", "zoe", "google", ["denied", "denied"]),
                ])
            let page = try await console.send(.get, "/policies/reach?access=read&kind=&bucket=&prefix=")
            #expect(page.status == 200)
            #expect(console.called == ["GET /_virga/reach?access=read", "GET /_virga/buckets"])
            let text = page.text
            #expect(text.contains("6 cells: 1 allowed, 2 conditional, 3 denied."))
            #expect(
                text.contains(
                    "/_virga/ui/policies?as=arn%3Aaws%3Aiam%3A%3A000000000000%3Arole%2Ffiles&amp;action=s3%3AGetObject"
                        + "&amp;resource=arn%3Aaws%3As3%3A%3A%3Abox%2F110%2Fa&amp;key=accounts.google.com%3Aaud&amp;value=app"
                        + "&amp;key=accounts.google.com%3Asub&amp;value=110\""))
            #expect(text.contains("as=arn%3Aaws%3Aiam%3A%3A000000000000%3Auser%2Fbob&amp;action="))
            #expect(text.contains("person at <bdi>google</bdi>, <bdi>as files</bdi>"))
            #expect(text.contains("<bdi>no role</bdi>"))
            // Without a role, the question lacks the caller only.
            #expect(text.contains("/_virga/ui/policies?as=&amp;action=s3%3AGetObject"))
            #expect(text.contains("<a href=\"/_virga/ui/policies/reach\" aria-current=\"page\">"))
        }
    }

    @Test("shows texts as they are, and as many rows as a page can have")
    func size() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let key = String(repeating: "ポ", count: 340)
            console.answers["GET /reach"] = Self.reach(
                (0..<12).map { Self.place("box", "\($0)\(key)/") },
                (0..<20).map { Self.caller("user", "\($0) \(Self.hostile)", "id \($0) \(key)", Array(repeating: "allowed", count: 12)) },
                total: 40)
            let text = try await console.send(.get, "/policies/reach?bucket=\(percentEncoded(key))").text
            #expect(text.utf8.count < 200_000)
            #expect(!text.contains("<script>window"))
            #expect(!text.contains("\u{202E}"))
            #expect(text.contains("of 40."))
            #expect(text.contains("Next callers"))
        }
    }

    @Test("shows a refusal of the control API in its place")
    func refused() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /reach"] = ["error": "unknown_bucket", "message": "There is no bucket 'x'."]
            let page = try await console.send(.get, "/policies/reach?bucket=x")
            #expect(page.status == 400)
            #expect(page.text.contains("There is no bucket &#39;x&#39;."))
            console.answers["GET /reach"] = Self.reach([], [])
            #expect(try await console.send(.get, "/policies/reach").text.contains("There is no bucket."))
        }
    }
}
