# An identity pool with each kind of login, its roles, role mappings and principal tags.

resource "aws_iam_openid_connect_provider" "company" {
  url            = "https://login.photos.example"
  client_id_list = ["photos"]
}

resource "aws_iam_saml_provider" "company" {
  name                   = "photos"
  saml_metadata_document = file("${path.module}/saml.xml")
}

resource "aws_cognito_identity_pool" "photos" {
  identity_pool_name               = "photos"
  allow_unauthenticated_identities = local.first
  allow_classic_flow               = !local.first
  developer_provider_name          = "login.photos.example"
  saml_provider_arns               = [aws_iam_saml_provider.company.arn]
  openid_connect_provider_arns     = [aws_iam_openid_connect_provider.company.arn]
  tags                             = local.tags

  supported_login_providers = local.first ? {
    "accounts.google.com" = "photos"
    "graph.facebook.com"  = "1234"
    } : {
    "accounts.google.com" = "photos-2"
  }

  cognito_identity_providers {
    client_id               = aws_cognito_user_pool_client.web.id
    provider_name           = aws_cognito_user_pool.people.endpoint
    server_side_token_check = local.first
  }
}

resource "aws_cognito_identity_pool" "plain" {
  identity_pool_name = "plain"
}

data "aws_iam_policy_document" "trust" {
  for_each = toset(["authenticated", "unauthenticated"])

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity", "sts:TagSession"]
    principals {
      type        = "Federated"
      identifiers = ["cognito-identity.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "cognito-identity.amazonaws.com:aud"
      values   = [aws_cognito_identity_pool.photos.id]
    }
    condition {
      test     = "ForAnyValue:StringLike"
      variable = "cognito-identity.amazonaws.com:amr"
      values   = [each.key]
    }
  }
}

resource "aws_iam_role" "member" {
  name               = "photos-member"
  assume_role_policy = data.aws_iam_policy_document.trust["authenticated"].json
}

resource "aws_iam_role" "keeper" {
  name               = "photos-keeper"
  assume_role_policy = data.aws_iam_policy_document.trust["authenticated"].json
}

resource "aws_iam_role" "guest" {
  name               = "photos-guest"
  assume_role_policy = data.aws_iam_policy_document.trust["unauthenticated"].json
}

resource "aws_cognito_identity_pool_roles_attachment" "photos" {
  identity_pool_id = aws_cognito_identity_pool.photos.id

  roles = {
    "authenticated"   = aws_iam_role.member.arn
    "unauthenticated" = aws_iam_role.guest.arn
  }

  role_mapping {
    identity_provider         = "${aws_cognito_user_pool.people.endpoint}:${aws_cognito_user_pool_client.web.id}"
    ambiguous_role_resolution = local.first ? "AuthenticatedRole" : "Deny"
    type                      = "Token"
  }

  role_mapping {
    identity_provider         = "accounts.google.com"
    ambiguous_role_resolution = "Deny"
    type                      = "Rules"

    mapping_rule {
      claim      = "sub"
      match_type = local.first ? "Equals" : "StartsWith"
      role_arn   = aws_iam_role.keeper.arn
      value      = "110169"
    }

    dynamic "mapping_rule" {
      for_each = local.first ? ["NotEqual", "Contains"] : ["Contains"]
      content {
        claim      = "sub"
        match_type = mapping_rule.value
        role_arn   = aws_iam_role.member.arn
        value      = "1"
      }
    }
  }
}

resource "aws_cognito_identity_pool_provider_principal_tag" "people" {
  identity_pool_id       = aws_cognito_identity_pool.photos.id
  identity_provider_name = aws_cognito_user_pool.people.endpoint
  use_defaults           = false
  principal_tags         = local.first ? { team = "custom:team" } : { team = "custom:team", person = "sub" }
}

data "aws_cognito_identity_pool" "photos" {
  identity_pool_name = aws_cognito_identity_pool.photos.identity_pool_name

  lifecycle {
    postcondition {
      condition     = self.id == aws_cognito_identity_pool.photos.id && self.developer_provider_name == "login.photos.example"
      error_message = "The pool is ${self.id}."
    }
  }
}
