import Testing

@Suite("IAM groups")
struct GroupTests {
    @Test("keep their users when renamed")
    func rename() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call("CreateGroup", ["GroupName": "Team", "Path": "/p/"])
            #expect(made["Arn"] == "arn:aws:iam::000000000000:group/p/Team")
            #expect(made["GroupId"]?.hasPrefix("AGPA") == true)
            #expect(try await iam.call("CreateGroup", ["GroupName": "team"]).code == "EntityAlreadyExists")
            for user in ["bob", "ann", "bob"] {
                #expect(try await iam.call("AddUserToGroup", ["GroupName": "team", "UserName": user]).status == 200)
            }
            #expect(try await iam.call("UpdateGroup", ["GroupName": "team", "NewGroupName": "crew", "NewPath": "/q/"]).status == 200)
            let group = try await iam.call("GetGroup", ["GroupName": "crew", "MaxItems": "1"])
            #expect(group["GroupId"] == made["GroupId"])
            #expect(group.members("Users", "UserName") == ["ann"])
            #expect(group["IsTruncated"] == "true")
            let groups = try await iam.call("ListGroupsForUser", ["UserName": "bob"])
            #expect(groups.members("Groups", "Arn") == ["arn:aws:iam::000000000000:group/q/crew"])
            #expect(
                try await iam.call("GetGroup", ["GroupName": "team"]).refusal
                    == "404 NoSuchEntity The group with name team cannot be found.")
        }
    }

    @Test("cannot be deleted while they have users or policies")
    func hindrances() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateGroup", ["GroupName": "team"])
            try await iam.call("AddUserToGroup", ["GroupName": "team", "UserName": "bob"])
            #expect(
                try await iam.call("DeleteGroup", ["GroupName": "team"]).message
                    == "Cannot delete entity, must remove users from group first.")
            try await iam.call("RemoveUserFromGroup", ["GroupName": "team", "UserName": "bob"])
            try await iam.call("AttachGroupPolicy", ["GroupName": "team", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"])
            #expect(
                try await iam.call("DeleteGroup", ["GroupName": "team"]).message == "Cannot delete entity, must detach all policies first.")
            try await iam.call("DetachGroupPolicy", ["GroupName": "team", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"])
            #expect(try await iam.call("DeleteGroup", ["GroupName": "team"]).status == 200)
        }
    }

    @Test("number at most ten for each user")
    func quota() async throws {
        try await IAMSandbox.run { iam async throws in
            for number in 0...10 {
                try await iam.call("CreateGroup", ["GroupName": "g\(number)"])
                let answer = try await iam.call("AddUserToGroup", ["GroupName": "g\(number)", "UserName": "bob"])
                #expect(answer.refusal == (number < 10 ? "200 - -" : "409 LimitExceeded Cannot exceed quota for GroupsPerUser: 10"))
            }
        }
    }
}
