# A user pool with its app, groups and people, and an identity pool that exchanges its tokens for the credentials of roles.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

# In the second step everything that can be changed in place has another value.
variable "step" {
  type    = number
  default = 1
}

provider "aws" {
  default_tags {
    tags = { Fleet = "north" }
  }
}

locals {
  first = var.step == 1
  tags  = local.first ? { Deck = "upper", Watch = "first" } : { Deck = "lower", Bell = "8 bells / @home" }
}
