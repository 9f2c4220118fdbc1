import Cloud
import Seeds

/// Runs `body` with a sandbox that has one account, the keys of its root user and a user, and a role; closes it afterwards.
func withSandbox<T>(folder: String? = nil, _ body: (Cloud) async throws -> T) async throws -> T {
    let text = """
        {accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "test"}],
          users: [{name: "ann", accessKeys: [{id: "AKIAANN", secret: "ann"}],
            policies: {p: {Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::box/${aws:username}/*"}]}}}],
          roles: [{name: "reader", trustPolicy: {Statement: [
            {Effect: "Allow", Principal: {Federated: "graph.facebook.com"}, Action: "sts:AssumeRoleWithWebIdentity"}]},
            policies: {p: {Version: "2012-10-17", Statement: [
              {Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::box/${graph.facebook.com:id}/*"},
              {Effect: "Allow", Action: "s3:ListBucket", Resource: "arn:aws:s3:::box",
               Condition: {StringEquals: {"aws:PrincipalTag/team": "red"}}}]}}}]}]}
        """
    return try await withSandbox(of: text, folder: folder, body)
}

/// Runs `body` with a sandbox that has a seed; closes it afterwards.
func withSandbox<T>(of text: String, folder: String? = nil, _ body: (Cloud) async throws -> T) async throws -> T {
    let seed = try SeedFile(name: "test", text: Array(text.utf8)).decode()
    let cloud = try await Cloud.open(folder: folder, seeds: [seed])
    do {
        let value = try await body(cloud)
        await cloud.close()
        return value
    } catch {
        await cloud.close()
        throw error
    }
}
