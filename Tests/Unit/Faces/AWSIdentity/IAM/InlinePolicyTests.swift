import Testing
import WireFormats

@Suite("Policies of IAM users and groups")
struct InlinePolicyTests {
    static let document = #"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "iam:ListUsers", "Resource": "*"}]}"#

    @Test("an inline policy is returned unchanged, URL-encoded, and takes effect", arguments: ["User", "Group"])
    func roundTrip(holder: String) async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateGroup", ["GroupName": "team"])
            try await iam.call("AddUserToGroup", ["GroupName": "team", "UserName": "bob"])
            let name = holder == "User" ? "bob" : "team"
            #expect(try await iam.call("ListUsers", by: IAMSandbox.bob).code == "AccessDenied")
            let put = try await iam.call(
                "Put\(holder)Policy", ["\(holder)Name": name, "PolicyName": "p", "PolicyDocument": Self.document])
            #expect(put.status == 200)
            let got = try await iam.call("Get\(holder)Policy", ["\(holder)Name": name, "PolicyName": "p"])
            #expect(got["PolicyDocument"] == percentEncoded(Self.document))
            #expect(try await iam.call("List\(holder)Policies", ["\(holder)Name": name]).members("PolicyNames") == ["p"])
            #expect(try await iam.call("ListUsers", by: IAMSandbox.bob).status == 200)
            #expect(try await iam.call("Delete\(holder)Policy", ["\(holder)Name": name, "PolicyName": "p"]).status == 200)
            #expect(try await iam.call("ListUsers", by: IAMSandbox.bob).code == "AccessDenied")
            let noun = holder.lowercased()
            #expect(
                try await iam.call("Get\(holder)Policy", ["\(holder)Name": name, "PolicyName": "p"]).refusal
                    == "404 NoSuchEntity The \(noun) policy with name p cannot be found.")
            #expect(
                try await iam.call("Get\(holder)Policy", ["\(holder)Name": "x", "PolicyName": "p"]).refusal
                    == "404 NoSuchEntity The \(noun) with name x cannot be found.")
        }
    }

    @Test("inline policies share a size limit, in which white space does not count", arguments: [("User", 2048), ("Group", 5120)])
    func size(holder: String, limit: Int) async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateGroup", ["GroupName": "team"])
            let name = holder == "User" ? "bob" : "team"
            func put(_ policy: String, _ size: Int) async throws -> STSAnswer {
                let head = #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::"#
                let document =
                    head + String(repeating: "b", count: size - head.utf8.count - 4) + "\"}]}" + String(repeating: " ", count: 500)
                return try await iam.call(
                    "Put\(holder)Policy", ["\(holder)Name": name, "PolicyName": policy, "PolicyDocument": document])
            }
            #expect(try await put("one", limit - 1000).status == 200)
            #expect(try await put("two", 1000).status == 200)
            #expect(
                try await put("two", 1001).refusal
                    == "409 LimitExceeded Maximum policy size of \(limit) bytes exceeded for \(holder.lowercased()) \(name)")
        }
    }

    @Test(
        "an invalid policy document is refused",
        arguments: ["{", #"{"Version":"2012-10-17"}"#, #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}}"#])
    func malformed(document: String) async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await iam.call("PutUserPolicy", ["UserName": "bob", "PolicyName": "p", "PolicyDocument": document])
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicyDocument")
        }
    }

    @Test("a managed policy is attached once, takes effect, and conditions can name its ARN")
    func attached() async throws {
        let statement = """
            {Effect: 'Allow', Action: 'iam:AttachUserPolicy', Resource: '*',
             Condition: {ArnEquals: {'iam:PolicyARN': 'arn:aws:iam::aws:policy/IAMReadOnlyAccess'}}}
            """
        try await IAMSandbox.run(statement) { iam async throws in
            let arn = "arn:aws:iam::aws:policy/IAMReadOnlyAccess"
            for _ in 0..<2 {
                #expect(try await iam.call("AttachUserPolicy", ["UserName": "bob", "PolicyArn": arn], by: IAMSandbox.ann).status == 200)
            }
            let other = "arn:aws:iam::aws:policy/AdministratorAccess"
            #expect(
                try await iam.call("AttachUserPolicy", ["UserName": "bob", "PolicyArn": other], by: IAMSandbox.ann).code == "AccessDenied")
            let list = try await iam.call("ListAttachedUserPolicies", ["UserName": "bob"])
            #expect(list.members("AttachedPolicies", "PolicyName") == ["IAMReadOnlyAccess"])
            #expect(try await iam.call("ListUsers", by: IAMSandbox.bob).status == 200)
            #expect(
                try await iam.call("DeleteUser", ["UserName": "bob"]).message == "Cannot delete entity, must delete access keys first.")
            #expect(try await iam.call("DetachUserPolicy", ["UserName": "bob", "PolicyArn": arn]).status == 200)
            #expect(
                try await iam.call("DetachUserPolicy", ["UserName": "bob", "PolicyArn": arn]).refusal
                    == "404 NoSuchEntity Policy \(arn) was not found.")
        }
    }

    @Test("a policy that cannot be attached is refused")
    func notAttachable() async throws {
        try await IAMSandbox.run { iam async throws in
            let none = "arn:aws:iam::000000000000:policy/none"
            #expect(
                try await iam.call("AttachUserPolicy", ["UserName": "bob", "PolicyArn": none]).refusal
                    == "404 NoSuchEntity Policy \(none) does not exist or is not attachable.")
            #expect(
                try await iam.call("AttachUserPolicy", ["UserName": "bob", "PolicyArn": "AdministratorAccessOfMine"]).refusal
                    == "400 ValidationError Invalid ARN:  Could not be parsed!")
        }
    }
}
