# Every data source of IAM and STS, read after everything was created, and the expected values.

data "aws_iam_policy" "by_arn" {
  arn = aws_iam_policy.read.arn
}

data "aws_iam_policy" "by_name" {
  name        = aws_iam_policy.read.name
  path_prefix = "/deck/"
}

data "aws_iam_policy" "managed" {
  name = "AmazonS3ReadOnlyAccess"
}

data "aws_iam_role" "bosun" {
  name = aws_iam_role.bosun.name
}

data "aws_iam_roles" "service" {
  path_prefix = "/service/"
  depends_on  = [aws_iam_role.bosun]
}

data "aws_iam_user" "mate" {
  user_name = aws_iam_user.mate.name
}

data "aws_iam_users" "all" {
  name_regex = "^ma"
  depends_on = [aws_iam_user.mate]
}

data "aws_iam_group" "crew" {
  group_name = aws_iam_group.crew.name
  depends_on = [aws_iam_group_membership.crew]
}

data "aws_iam_account_alias" "current" {
  depends_on = [aws_iam_account_alias.harbour]
}

data "aws_iam_access_keys" "mate" {
  user       = aws_iam_user.mate.name
  depends_on = [aws_iam_access_key.sailor]
}

data "aws_iam_session_context" "session" {
  arn        = "arn:aws:sts::${data.aws_caller_identity.current.account_id}:assumed-role/bosun/night"
  depends_on = [aws_iam_role.bosun]
}

data "aws_iam_session_context" "user" {
  arn = aws_iam_user.mate.arn
}

data "aws_iam_server_certificate" "latest" {
  name_prefix = "boats"
  latest      = true
  depends_on  = [aws_iam_server_certificate.single]
}

data "aws_iam_openid_connect_provider" "by_arn" {
  arn = aws_iam_openid_connect_provider.company.arn
}

data "aws_iam_openid_connect_provider" "by_url" {
  url        = "https://login.company.example/realms/crew"
  depends_on = [aws_iam_openid_connect_provider.company]
}

data "aws_iam_saml_provider" "fleet" {
  arn = aws_iam_saml_provider.company.arn
}

data "aws_iam_instance_profile" "bosun" {
  name = aws_iam_instance_profile.bosun.name
}

data "aws_iam_instance_profiles" "of_role" {
  role_name  = aws_iam_instance_profile.bosun.role
  depends_on = [aws_iam_instance_profile.bosun]
}

data "aws_iam_user_ssh_key" "ssh" {
  username          = aws_iam_user.mate.name
  ssh_public_key_id = aws_iam_user_ssh_key.ssh.ssh_public_key_id
  encoding          = "SSH"
}

data "aws_iam_principal_policy_simulation" "sailor" {
  action_names      = ["s3:GetObject", "s3:DeleteBucket", "ec2:RunInstances"]
  policy_source_arn = aws_iam_user.sailor.arn
  resource_arns     = ["arn:aws:s3:::boats/photo"]

  context {
    key    = "aws:CurrentTime"
    type   = "date"
    values = ["2030-01-01T00:00:00Z"]
  }

  depends_on = [aws_iam_user_policy.named, aws_iam_user_policy_attachment.managed]
}

data "aws_iam_principal_policy_simulation" "bosun" {
  action_names         = ["s3:GetObject"]
  policy_source_arn    = aws_iam_role.bosun.arn
  resource_arns        = ["arn:aws:s3:::boats/photo"]
  resource_policy_json = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:*", Resource = "*" }] })
  caller_arn           = aws_iam_user.mate.arn

  additional_policies_json = [local.read]
  depends_on               = [aws_iam_role_policy.read]
}

# Fails if a value differs.
resource "terraform_data" "read" {
  lifecycle {
    precondition {
      condition     = data.aws_iam_policy.by_name.arn == aws_iam_policy.read.arn && data.aws_iam_policy.by_arn.description == "Reads everything"
      error_message = "aws_iam_policy"
    }
    precondition {
      condition     = data.aws_iam_policy.managed.arn == "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
      error_message = "aws_iam_policy of AWS"
    }
    precondition {
      condition     = data.aws_iam_role.bosun.unique_id == aws_iam_role.bosun.unique_id && data.aws_iam_role.bosun.max_session_duration == aws_iam_role.bosun.max_session_duration
      error_message = "aws_iam_role"
    }
    precondition {
      condition     = contains(data.aws_iam_roles.service.names, "bosun") && !contains(data.aws_iam_roles.service.names, "plain")
      error_message = "aws_iam_roles"
    }
    precondition {
      condition     = data.aws_iam_user.mate.user_id == aws_iam_user.mate.unique_id && data.aws_iam_user.mate.tags["Fleet"] == "north"
      error_message = "aws_iam_user"
    }
    precondition {
      condition     = contains(data.aws_iam_users.all.names, "mate") && !contains(data.aws_iam_users.all.names, "sailor")
      error_message = "aws_iam_users"
    }
    precondition {
      condition     = contains(data.aws_iam_group.crew.users[*].user_name, "mate")
      error_message = "aws_iam_group"
    }
    precondition {
      condition     = data.aws_iam_account_alias.current.account_alias == aws_iam_account_alias.harbour.account_alias
      error_message = "aws_iam_account_alias"
    }
    precondition {
      condition     = [for key in data.aws_iam_access_keys.mate.access_keys : key.status] == [aws_iam_access_key.sailor.status]
      error_message = "aws_iam_access_keys"
    }
    precondition {
      condition     = data.aws_iam_session_context.session.issuer_arn == aws_iam_role.bosun.arn && data.aws_iam_session_context.session.session_name == "night"
      error_message = "aws_iam_session_context"
    }
    precondition {
      condition     = data.aws_iam_session_context.user.issuer_arn == aws_iam_user.mate.arn
      error_message = "aws_iam_session_context of a user"
    }
    precondition {
      condition     = data.aws_iam_server_certificate.latest.arn == aws_iam_server_certificate.single.arn
      error_message = "aws_iam_server_certificate"
    }
    precondition {
      condition     = toset(data.aws_iam_openid_connect_provider.by_arn.client_id_list) == aws_iam_openid_connect_provider.company.client_id_list
      error_message = "aws_iam_openid_connect_provider"
    }
    precondition {
      condition     = data.aws_iam_openid_connect_provider.by_url.arn == aws_iam_openid_connect_provider.company.arn
      error_message = "aws_iam_openid_connect_provider by URL"
    }
    precondition {
      condition     = data.aws_iam_saml_provider.fleet.saml_metadata_document == aws_iam_saml_provider.company.saml_metadata_document
      error_message = "aws_iam_saml_provider"
    }
    precondition {
      condition     = data.aws_iam_instance_profile.bosun.role_name == aws_iam_instance_profile.bosun.role
      error_message = "aws_iam_instance_profile"
    }
    precondition {
      condition     = contains(data.aws_iam_instance_profiles.of_role.names, "bosun")
      error_message = "aws_iam_instance_profiles"
    }
    precondition {
      condition     = data.aws_iam_user_ssh_key.ssh.fingerprint == aws_iam_user_ssh_key.ssh.fingerprint
      error_message = "aws_iam_user_ssh_key"
    }
    precondition {
      condition     = [for result in data.aws_iam_principal_policy_simulation.sailor.results : result.decision if result.action_name == "s3:GetObject"] == ["allowed"]
      error_message = "aws_iam_principal_policy_simulation: allowed"
    }
    precondition {
      condition     = [for result in data.aws_iam_principal_policy_simulation.sailor.results : result.decision if result.action_name == "s3:DeleteBucket"] == ["implicitDeny"]
      error_message = "aws_iam_principal_policy_simulation: implicitly denied"
    }
    precondition {
      condition     = [for result in data.aws_iam_principal_policy_simulation.bosun.results : result.decision] == ["explicitDeny"] && !data.aws_iam_principal_policy_simulation.bosun.all_allowed
      error_message = "aws_iam_principal_policy_simulation: denied"
    }
    precondition {
      condition     = data.aws_caller_identity.current.arn == "arn:aws:iam::000000000000:root"
      error_message = "aws_caller_identity"
    }
    precondition {
      condition     = data.aws_partition.current.dns_suffix == "amazonaws.com"
      error_message = "aws_partition"
    }
  }
}
